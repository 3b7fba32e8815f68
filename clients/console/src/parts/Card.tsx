import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';

interface CardProps {
  readonly title: string;
  /** Shown to the right of the title. */
  readonly aside?: ReactNode;
  /** Width in twelfths of the page. */
  readonly span?: 3 | 4 | 6 | 8 | 12;
  /** No padding around the body; for tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Card({ title, aside, span = 12, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={`card span-${span}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}

/** A card with one key number and its label. */
export function Figure({
  label,
  value,
  note,
  href,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** Address of the list that it counts. */
  readonly href?: string;
}) {
  return (
    <section className="card span-3">
      <div className="card-body">
        <p className="figure-label">{label}</p>
        <p className="figure-value">
          {href === undefined ? (
            value
          ) : (
            <Link href={href} aria-label={typeof value === 'string' ? `${label}: ${value}` : label}>
              {value}
            </Link>
          )}
        </p>
        <p className="small soft">{note ?? '\u00a0'}</p>
      </div>
    </section>
  );
}
