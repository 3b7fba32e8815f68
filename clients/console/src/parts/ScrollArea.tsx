import type { ReactNode } from 'react';

/** As high as it is, whatever is in it: the rest is scrolled to. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard too
    <section className="stack" style={style} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
