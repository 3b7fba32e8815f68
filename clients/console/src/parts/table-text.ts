import { toCsv } from '../text/csv.ts';
import type { SortableColumn } from './sort-rows.ts';

/** The text of a column. */
export interface TextColumn<Row> extends SortableColumn<Row> {
  /** The text for files; defaults to the sort value. */
  readonly text?: (row: Row) => string;
}

/** Columns with text; those with checkboxes and buttons have none. */
export const withText = <Some extends { readonly text?: unknown; readonly sortBy?: unknown }>(
  columns: readonly Some[],
): readonly Some[] => columns.filter(({ text, sortBy }) => text !== undefined || sortBy !== undefined);

const textOf = <Row>({ text, sortBy }: TextColumn<Row>, row: Row): string =>
  text?.(row) ?? String(sortBy?.(row) ?? '');

export const csvHead = <Row>(columns: readonly TextColumn<Row>[]): string =>
  toCsv([withText(columns).map(({ title }) => title)]);
export const csvRows = <Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]): string =>
  toCsv(rows.map((row) => withText(columns).map((column) => textOf(column, row))));

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The rows that contain each of these words in some column; `seen` adds the text that a column displays. */
export function filterRows<Row>(
  rows: readonly Row[],
  columns: readonly TextColumn<Row>[],
  typed: string,
  seen: (column: TextColumn<Row>, row: Row) => string = () => '',
): readonly Row[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const textColumns = withText(columns);
  return rows.filter((row) => {
    const text = plain(textColumns.map((column) => `${textOf(column, row)} ${seen(column, row)}`).join(' '));
    return words.every((word) => text.includes(word));
  });
}
