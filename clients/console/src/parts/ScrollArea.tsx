import type { ReactNode } from 'react';

/** A scrolling area with a fixed height. */
export function ScrollArea({
  label,
  height,
  children,
}: {
  readonly label: string;
  readonly height: number;
  readonly children: ReactNode;
}) {
  const style = { height, overflowY: 'auto', alignContent: 'start' } as const;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll
    <section className="stack" style={style} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
