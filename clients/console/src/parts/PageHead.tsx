import { type ReactNode, useEffect } from 'react';

/** The title of a page and of its browser tab, with the page's actions at the right. */
export function PageHead({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Linekeeper`;
  }, [title]);
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {note !== undefined && <p>{note}</p>}
      {children !== undefined && <div className="row">{children}</div>}
    </div>
  );
}
