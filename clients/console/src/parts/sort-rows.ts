type Key = string | number | null;

/** The part of a column that sorting needs. */
export interface SortableColumn<Row> {
  readonly title: string;
  /** The value to compare, for a complete list. Null sorts last. */
  readonly sortBy?: (row: Row) => Key;
  /** The name of the order, for a list that the service sorts. */
  readonly order?: string;
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

function compare(one: Key, other: Key): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : COLLATOR.compare(String(one), String(other));
}

/** Sorts the rows by a column; equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  order: string,
): readonly Row[] {
  const isDown = order.startsWith('-');
  const by = columns.find(({ title }) => title === order.replace(/^-/, ''))?.sortBy;
  if (by === undefined) return rows;
  const keyed = rows.map((row) => ({ row, key: by(row) }));
  const isLast = (key: Key) => key === null;
  return keyed
    .sort((a, b) =>
      isDown && !isLast(a.key) && !isLast(b.key) ? compare(b.key, a.key) : compare(a.key, b.key),
    )
    .map(({ row }) => row);
}
