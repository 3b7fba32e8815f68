import { median } from './statistics.ts';

/** One measured line of a run: one value per row. */
export interface Line {
  readonly name: string;
  readonly values: readonly number[];
  /** A smaller rise is noise, however large its share. Undefined if the line has no limit. */
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
 * Finds the lines whose median in the last quarter is more than a tenth above that of minutes 10 to 15. Returns undefined if the
 * run is too short. A line that falls or stays level leaks nothing.
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
