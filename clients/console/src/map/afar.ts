import { add, type Cell, keyOf, type Shown, showCells, TONES } from './grid.ts';
import { type Bounds, boundsOf, xOf, yOf } from './mercator.ts';

/**
 * Counts of a fleet from the service: the nth entry of each column describes the devices of one tone in one
 * square of the map.
 */
export interface Afar {
  readonly level: number;
  readonly columns: readonly number[];
  readonly rows: readonly number[];
  readonly tones: readonly number[];
  readonly counts: readonly number[];
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  readonly wests: readonly number[];
  readonly souths: readonly number[];
  readonly easts: readonly number[];
  readonly norths: readonly number[];
  /** One device of each square. */
  readonly ids: readonly string[];
}

export const countOf = ({ counts }: Afar): number => counts.reduce((sum, count) => sum + count, 0);

export const boundsFromAfar = ({ wests, souths, easts, norths }: Afar): Bounds =>
  boundsOf([...souths, ...norths], [...wests, ...easts]);

function cellAt(afar: Afar, nth: number, column: number, row: number): Cell {
  const count = afar.counts[nth]!;
  const tones = new Array<number>(TONES).fill(0);
  tones[afar.tones[nth]!] = count;
  return {
    column,
    row,
    nth,
    count,
    tones,
    longitudes: afar.longitudes[nth]! * count,
    latitudes: afar.latitudes[nth]! * count,
    west: xOf(afar.wests[nth]!),
    east: xOf(afar.easts[nth]!),
    north: yOf(afar.norths[nth]!),
    south: yOf(afar.souths[nth]!),
  };
}

/** The same clusters as from the single positions, but no finer than the counted squares. */
export function clusterCounts(afar: Afar, zoom: number): readonly Shown[] {
  const level = Math.min(Math.floor(zoom), afar.level);
  const cells = new Map<number, Cell>();
  afar.counts.forEach((_, nth) => {
    const halved = 2 ** (afar.level - level);
    const column = Math.floor(afar.columns[nth]! / halved);
    const row = Math.floor(afar.rows[nth]! / halved);
    const cell = cellAt(afar, nth, column, row);
    const known = cells.get(keyOf(column, row));
    if (known === undefined) cells.set(keyOf(column, row), cell);
    else add(known, cell);
  });
  return showCells(cells, level);
}
