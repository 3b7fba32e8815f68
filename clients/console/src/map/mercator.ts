const LATITUDE_MAX = 85.05;

/** Fractions of the Mercator square, from its north-west corner. */
export const xOf = (longitude: number): number => (longitude + 180) / 360;
export function yOf(latitude: number): number {
  const held = Math.min(LATITUDE_MAX, Math.max(-LATITUDE_MAX, latitude));
  const sine = Math.sin((held * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** West, south, east and north in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

const UNITED_STATES: Bounds = [-125, 24, -66, 50];

/** Bounds of all these points; without points, the United States. */
export function boundsOf(latitudes: ArrayLike<number>, longitudes: ArrayLike<number>): Bounds {
  if (latitudes.length === 0) return UNITED_STATES;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (let n = 0; n < latitudes.length; n++) {
    west = Math.min(west, longitudes[n]!);
    east = Math.max(east, longitudes[n]!);
    south = Math.min(south, latitudes[n]!);
    north = Math.max(north, latitudes[n]!);
  }
  return [west, south, east, north];
}

/** The bounds with their own size added on every side, so that short drags need no new query. */
export function widened([west, south, east, north]: Bounds): Bounds {
  const [width, height] = [east - west, north - south];
  return [west - width, south - height, east + width, north + height];
}

export const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];

const EQUATOR_PX = 512;
/** Largest zoom, and padding, when the map fits bounds. */
export const FIT = { padding: 48, maxZoom: 11 } as const;

/** Centre of the map, as fractions of the Mercator square. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** The camera that shows all of the bounds on a map of this size. The world is never smaller than the map. */
export function fitted([west, south, east, north]: Bounds, width: number, height: number): Camera {
  const [left, right, top, bottom] = [xOf(west), xOf(east), yOf(north), yOf(south)];
  const room = (px: number) => Math.max(1, px - 2 * FIT.padding) / EQUATOR_PX;
  const zoom = Math.log2(Math.min(room(width) / (right - left), room(height) / (bottom - top)));
  const least = Math.log2(Math.max(width, height) / EQUATOR_PX);
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    zoom: Math.max(least, Math.min(FIT.maxZoom, zoom)),
  };
}

/** Distance of a place from the centre in pixels, to the right and down. */
export function pxFrom(
  { x, y, zoom }: Camera,
  longitude: number,
  latitude: number,
): readonly [number, number] {
  const scale = EQUATOR_PX * 2 ** zoom;
  return [(xOf(longitude) - x) * scale, (yOf(latitude) - y) * scale];
}
const EQUATOR_M = 40_075_016.686;

/** Converts metres to pixels at zoom 0; each zoom level doubles them. */
export const pxAtZoom0 = (metres: number, latitude: number): number =>
  (metres * EQUATOR_PX) / (EQUATOR_M * Math.cos((latitude * Math.PI) / 180));
