import { type Bounds, xOf, yOf } from './mercator.ts';

/** A device, or a cluster of devices too close together to draw separately. */
export type Shown = {
  readonly longitude: number;
  readonly latitude: number;
  readonly count: number;
  /** Tone of the device, or of most devices in the cluster. */
  readonly tone: number;
} & ({ readonly nth: number } | { readonly opensAt: number });

export interface Clustered {
  readonly shown: readonly Shown[];
  /** Indexes of devices in view, including some in clusters. */
  readonly listed: readonly number[];
  readonly inView: number;
}

/** Positions as fractions of the Mercator square. */
export interface Points {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly tones: Uint8Array;
}

/** The number of tones. */
export const TONES = 4;
const SQUARE_PX = 512;
export const CELL_PX = 64;
/** Circles whose centres are closer than this would overlap. */
const APART_PX = 44;
/** From this zoom on, every device is drawn separately. */
const SINGLE_FROM = 16;
/** The list stays readable; zooming in shows other devices. */
const LISTED_MAX = 200;

/** More than the number of rows at any zoom. */
const ROWS = 2 ** 20;
export const keyOf = (column: number, row: number): number => column * ROWS + row;

export interface Cell {
  readonly column: number;
  readonly row: number;
  readonly nth: number;
  readonly tones: number[];
  count: number;
  longitudes: number;
  latitudes: number;
  west: number;
  east: number;
  north: number;
  south: number;
}

export function toPoints(
  latitudes: Float64Array,
  longitudes: Float64Array,
  tones: Uint8Array = new Uint8Array(latitudes.length),
): Points {
  return { latitudes, longitudes, xs: longitudes.map(xOf), ys: latitudes.map(yOf), tones };
}

/** Adds the other cell to this one. */
export function add(into: Cell, other: Cell): void {
  into.count += other.count;
  into.longitudes += other.longitudes;
  into.latitudes += other.latitudes;
  into.west = Math.min(into.west, other.west);
  into.east = Math.max(into.east, other.east);
  into.north = Math.min(into.north, other.north);
  into.south = Math.max(into.south, other.south);
  for (let tone = 0; tone < TONES; tone++) into.tones[tone]! += other.tones[tone]!;
}

const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));

/** Fullest first; equal cells from the north-west, so that the order of the input does not change the clusters. */
const byCount = (a: Cell, b: Cell): number => b.count - a.count || a.row - b.row || a.column - b.column;

/** Merges each cell's close neighbours into it, from the fullest cell to the emptiest. */
function merge(cells: ReadonlyMap<number, Cell>, px: number): readonly Cell[] {
  const gone = new Set<Cell>();
  const middle = ({ longitudes, latitudes, count }: Cell) => [
    xOf(longitudes / count),
    yOf(latitudes / count),
  ];
  const kept: Cell[] = [];
  for (const cell of [...cells.values()].sort(byCount)) {
    if (gone.has(cell)) continue;
    gone.add(cell);
    const [x = 0, y = 0] = middle(cell);
    for (const [dx, dy] of AROUND) {
      const other = cells.get(keyOf(cell.column + dx, cell.row + dy));
      if (other === undefined || gone.has(other)) continue;
      const [otherX = 0, otherY = 0] = middle(other);
      if (Math.hypot(x - otherX, y - otherY) * px >= APART_PX) continue;
      gone.add(other);
      add(cell, other);
    }
    kept.push(cell);
  }
  return kept;
}

/** The zoom at which the cell's extent no longer fits into one cell. */
function opensAt({ west, east, north, south }: Cell): number {
  const extent = Math.max(east - west, south - north);
  const zoom = Math.ceil(Math.log2((CELL_PX + APART_PX) / Math.max(extent, 1e-12) / SQUARE_PX));
  return Math.min(SINGLE_FROM, zoom);
}

function toShown(cell: Cell): Shown {
  const { count, nth, tones } = cell;
  const tone = tones.indexOf(Math.max(...tones));
  const place = { longitude: cell.longitudes / count, latitude: cell.latitudes / count, count, tone };
  return count === 1 ? { ...place, nth } : { ...place, opensAt: opensAt(cell) };
}

/** The devices and clusters to draw for the cells of a level. */
export const showCells = (cells: ReadonlyMap<number, Cell>, level: number): readonly Shown[] =>
  (level >= SINGLE_FROM ? [...cells.values()] : merge(cells, SQUARE_PX * 2 ** level)).map(toShown);

/** A test for the nth point being in these bounds. It uses plain comparisons because it runs a hundred thousand times. */
function insideOf({ xs, ys }: Points, bounds: Bounds): (nth: number) => boolean {
  const [west, east] = [xOf(bounds[0]), xOf(bounds[2])];
  const [north, south] = [yOf(bounds[3]), yOf(bounds[1])];
  return (nth) => xs[nth]! >= west && xs[nth]! <= east && ys[nth]! >= north && ys[nth]! <= south;
}

export function findIn(points: Points, bounds: Bounds): Uint32Array {
  const isInside = insideOf(points, bounds);
  const found: number[] = [];
  for (let nth = 0; nth < points.xs.length; nth++) if (isInside(nth)) found.push(nth);
  return Uint32Array.from(found);
}

/**
 * Clusters the points in `around` and lists those in `view`. The grid is fixed to the world, so clusters stay
 * the same when the map moves. It takes one pass over plain numbers: building an index of all zooms would
 * take longer than a thousand such passes.
 */
export function clusterPoints(points: Points, view: Bounds, zoom: number, around: Bounds = view): Clustered {
  const { latitudes, longitudes, xs, ys, tones } = points;
  const level = Math.floor(zoom);
  const px = SQUARE_PX * 2 ** level;
  const [isDrawn, isSeen] = [insideOf(points, around), insideOf(points, view)];
  const cells = new Map<number, Cell>();
  const listed: number[] = [];
  let inView = 0;
  for (let nth = 0; nth < xs.length; nth++) {
    if (!isDrawn(nth)) continue;
    if (isSeen(nth) && ++inView <= LISTED_MAX) listed.push(nth);
    const [x, y] = [xs[nth]!, ys[nth]!];
    const [column, row] = [Math.floor((x * px) / CELL_PX), Math.floor((y * px) / CELL_PX)];
    const key = level >= SINGLE_FROM ? nth : keyOf(column, row);
    const cell = cells.get(key);
    if (cell === undefined) {
      const own = new Array<number>(TONES).fill(0);
      own[tones[nth]!] = 1;
      const place = { longitudes: longitudes[nth]!, latitudes: latitudes[nth]! };
      cells.set(key, {
        column,
        row,
        nth,
        count: 1,
        tones: own,
        ...place,
        west: x,
        east: x,
        north: y,
        south: y,
      });
      continue;
    }
    cell.count++;
    cell.longitudes += longitudes[nth]!;
    cell.latitudes += latitudes[nth]!;
    cell.tones[tones[nth]!]!++;
    if (x < cell.west) cell.west = x;
    if (x > cell.east) cell.east = x;
    if (y < cell.north) cell.north = y;
    if (y > cell.south) cell.south = y;
  }
  return { shown: showCells(cells, level), listed, inView };
}
