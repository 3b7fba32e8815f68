import { type ReactNode, useMemo, useState } from 'react';
import { type SortableColumn, sortRows } from './sort-rows.ts';

/** The name of an order, with a leading minus for descending. */
export interface Sorting {
  readonly order: string;
  readonly setOrder: (order: string) => void;
}

/** Sorts a complete list in the browser; a partial list can only be sorted by the service. */
export function useSorted<Row>(
  columns: readonly SortableColumn<Row>[],
  rows: readonly Row[] | undefined,
  isWhole: boolean,
  byService: Sorting | undefined,
) {
  const [order, setOrder] = useState('');
  // Columns are often recreated on each render; the sorted one keeps its title.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const sorted = useMemo(
    () => (rows === undefined || !isWhole || order === '' ? rows : sortRows(rows, columns, order)),
    [rows, isWhole, order],
  );
  const sortingOf = ({ title, sortBy, order: named }: SortableColumn<Row>) => {
    if (byService !== undefined && named !== undefined) return { key: named, ...byService };
    return sortBy !== undefined && isWhole ? { key: title, order, setOrder } : undefined;
  };
  return { sorted, sortingOf };
}

type Way = 'ascending' | 'descending' | undefined;
export const wayOf = (key: string, order: string): Way =>
  order === key ? 'ascending' : order === `-${key}` ? 'descending' : undefined;

const SIGNS = { ascending: '↑', descending: '↓' } as const;

/** A column head that sorts the list. */
export function SortButton({
  sorting: { key, order, setOrder },
  children,
}: {
  readonly sorting: Sorting & { readonly key: string };
  readonly children: ReactNode;
}) {
  const way = wayOf(key, order);
  return (
    <button
      type="button"
      className="sort-head"
      onClick={() => setOrder(way === 'ascending' ? `-${key}` : key)}
    >
      {children}
      <span aria-hidden="true">{way === undefined ? '↕' : SIGNS[way]}</span>
    </button>
  );
}
