import { plainText } from './plain-text.ts';
import type { Output } from './surroundings.ts';

export type Column<Row> = readonly [title: string, read: (row: Row) => unknown];

const GAP = '  ';
/** Narrower columns are unreadable. */
const COLUMN_MIN = 4;

/** The text of a cell: dates already are text, lists are joined, other values become JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return plainText(value.join(', '));
  return plainText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const lengthOf = (text: string): number => [...text].length;

/** Only terminals wrap long lines; a file or another program gets the full text. */
export const widthMax = ({ isTTY, columns = Number.POSITIVE_INFINITY }: Output): number =>
  isTTY ? columns : Number.POSITIVE_INFINITY;

/** Shrinks the widest column until the row fits. */
export function widthsOf(rows: readonly (readonly string[])[], max: number): readonly number[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => lengthOf(row[i] ?? ''))));
  const room = max - GAP.length * (widths.length - 1);
  const total = () => widths.reduce((sum, width) => sum + width, 0);
  while (total() > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= COLUMN_MIN) break;
    widths[widest]!--;
  }
  return widths;
}

function fit(text: string, width: number, limited: boolean): string {
  const length = lengthOf(text);
  if (length <= width) return text + ' '.repeat(width - length);
  return limited ? `${[...text].slice(0, width - 1).join('')}…` : text;
}

export const writeRow = (cells: readonly string[], widths: readonly number[], max: number): string =>
  cells
    .map((cell, i) => fit(cell, widths[i] ?? 0, Number.isFinite(max)))
    .join(GAP)
    .trimEnd();
