type Key = string | number | null;

/** As much of a column as sorting is about. */
export interface SortableColumn<Row> {
  readonly title: string;
  /** For a list that is here as a whole: what is compared. Null comes last. */
  readonly sortBy?: (row: Row) => Key;
  /** For a list that the service sorts: the name of the order. */
  readonly order?: string;
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

function compare(one: Key, other: Key): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : COLLATOR.compare(String(one), String(other));
}

/** The rows by a column; what is equal stays as it was. */
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
