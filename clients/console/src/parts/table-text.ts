import { toCsv } from '../text/csv.ts';
import type { SortableColumn } from './sort-rows.ts';

/** As much of a column as is told of it in words. */
export interface ToldColumn<Row> extends SortableColumn<Row> {
  /** As a file has it; else what it is sorted by. */
  readonly text?: (row: Row) => string;
}

/** Columns that tell something: those with boxes and buttons have no words. */
export const told = <Some extends { readonly text?: unknown; readonly sortBy?: unknown }>(
  columns: readonly Some[],
): readonly Some[] => columns.filter(({ text, sortBy }) => text !== undefined || sortBy !== undefined);

const textOf = <Row>({ text, sortBy }: ToldColumn<Row>, row: Row): string =>
  text?.(row) ?? String(sortBy?.(row) ?? '');

export const csvHead = <Row>(columns: readonly ToldColumn<Row>[]): string =>
  toCsv([told(columns).map(({ title }) => title)]);
export const csvRows = <Row>(columns: readonly ToldColumn<Row>[], rows: readonly Row[]): string =>
  toCsv(rows.map((row) => told(columns).map((column) => textOf(column, row))));

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Those that have each of these words in one of the columns; `seen` is what a column shows besides its words. */
export function filterRows<Row>(
  rows: readonly Row[],
  columns: readonly ToldColumn<Row>[],
  typed: string,
  seen: (column: ToldColumn<Row>, row: Row) => string = () => '',
): readonly Row[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const columnsTold = told(columns);
  return rows.filter((row) => {
    const text = plain(columnsTold.map((column) => `${textOf(column, row)} ${seen(column, row)}`).join(' '));
    return words.every((word) => text.includes(word));
  });
}
