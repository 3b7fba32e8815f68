import type { ReactNode } from 'react';

/** A list of names and values. */
export function Terms({ terms }: { readonly terms: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {terms.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
