/** What of the world is seen: its middle, as shares of the mercator square, and how many pixels that square is wide. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

const TILE_PX = 256;
export const ZOOM_MIN = 0;
export const ZOOM_MAX = 18;
const EQUATOR_M = 40_075_016.686;
const LATITUDE_MAX = 85.05;
/** Of the window, around what it is made to fit. */
const MARGIN = 0.8;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

export const worldPx = ({ zoom }: Pick<View, 'zoom'>): number => TILE_PX * 2 ** zoom;

export const xOf = (longitude: number): number => (longitude + 180) / 360;
export function yOf(latitude: number): number {
  const sine = Math.sin((clamp(latitude, -LATITUDE_MAX, LATITUDE_MAX) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
const longitudeOf = (x: number): number => x * 360 - 180;
const latitudeOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

export function toScreen(view: View, size: Size, x: number, y: number): [number, number] {
  const px = worldPx(view);
  return [(x - view.x) * px + size.width / 2, (y - view.y) * px + size.height / 2];
}

export const metresPerPx = (view: View, latitude: number): number =>
  (EQUATOR_M * Math.cos((latitude * Math.PI) / 180)) / worldPx(view);

const inBounds = ({ x, y, zoom }: View): View => ({
  x: clamp(x, 0, 1),
  y: clamp(y, 0, 1),
  zoom: clamp(zoom, ZOOM_MIN, ZOOM_MAX),
});

export const moved = (view: View, dx: number, dy: number): View =>
  inBounds({ ...view, x: view.x + dx / worldPx(view), y: view.y + dy / worldPx(view) });

/** What is at this place of the screen stays there. */
export function zoomed(view: View, size: Size, by: number, at: readonly [number, number]): View {
  const zoom = clamp(view.zoom + by, ZOOM_MIN, ZOOM_MAX);
  const [dx, dy] = [at[0] - size.width / 2, at[1] - size.height / 2];
  const [before, after] = [worldPx(view), worldPx({ zoom })];
  return inBounds({ x: view.x + dx / before - dx / after, y: view.y + dy / before - dy / after, zoom });
}

/** West, south, east and north in degrees. */
export type Bounds = [west: number, south: number, east: number, north: number];

export function boundsOf(view: View, { width, height }: Size): Bounds {
  const [dx, dy] = [width / 2 / worldPx(view), height / 2 / worldPx(view)];
  return [
    longitudeOf(clamp(view.x - dx, 0, 1)),
    latitudeOf(clamp(view.y + dy, 0, 1)),
    longitudeOf(clamp(view.x + dx, 0, 1)),
    latitudeOf(clamp(view.y - dy, 0, 1)),
  ];
}

const ZOOM_FITTED_MAX = 12;

/** The view that shows all of these; of nothing, the United States. */
export function fitting(latitudes: ArrayLike<number>, longitudes: ArrayLike<number>, size: Size): View {
  let [west, south, east, north] = latitudes.length === 0 ? [-125, 24, -66, 50] : [180, 90, -180, -90];
  for (let n = 0; n < latitudes.length; n++) {
    west = Math.min(west, longitudes[n]!);
    east = Math.max(east, longitudes[n]!);
    south = Math.min(south, latitudes[n]!);
    north = Math.max(north, latitudes[n]!);
  }
  const [width, height] = [xOf(east) - xOf(west), yOf(south) - yOf(north)];
  const px = MARGIN * Math.min(size.width / Math.max(width, 1e-9), size.height / Math.max(height, 1e-9));
  const zoom = Math.min(ZOOM_FITTED_MAX, Math.log2(px / TILE_PX));
  return inBounds({ x: xOf(west) + width / 2, y: yOf(north) + height / 2, zoom });
}
