import { median } from './statistics.ts';

/** One measured line of a run: a value each minute. */
export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  /** So little more is noise, however large a share it is. Undefined where the line may do what it likes. */
  readonly noise?: number;
}

const RISE_MAX = 1.1;
const [SETTLED, COMPARED, LEAST] = [10, 15, 20];

export interface Rise {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The lines whose middle in the last quarter is more than a tenth above that of the minutes 10 to 15. Undefined for runs that
 * are too short to tell. A line that falls, or is where it was, leaks nothing.
 */
export function findRises(lines: readonly Line[], rowMinutes: number): readonly Rise[] | undefined {
  const rows = Math.max(...lines.map(({ values }) => values.length));
  if (rows * rowMinutes < LEAST) return undefined;
  const [settled, compared] = [Math.floor(SETTLED / rowMinutes), Math.floor(COMPARED / rowMinutes)];
  return lines.flatMap(({ name, values, noise }) => {
    if (noise === undefined) return [];
    const known = (part: readonly number[]) => median(part.filter((value) => !Number.isNaN(value)));
    const from = known(values.slice(settled, compared));
    const to = known(values.slice(-Math.ceil(rows / 4)));
    return to > from * RISE_MAX && to > from + noise ? [{ name, from, to }] : [];
  });
}
