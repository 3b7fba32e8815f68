const LATITUDE_MAX = 85.05;

/** Shares of the mercator square, from its north-west corner. */
export const xOf = (longitude: number): number => (longitude + 180) / 360;
export function yOf(latitude: number): number {
  const held = Math.min(LATITUDE_MAX, Math.max(-LATITUDE_MAX, latitude));
  const sine = Math.sin((held * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** West, south, east and north in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

const UNITED_STATES: Bounds = [-125, 24, -66, 50];

/** What all of these are in; of nothing, the United States. */
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

/** With as much again on every side, so that the map can be dragged a while before anything has to be looked up. */
export function widened([west, south, east, north]: Bounds): Bounds {
  const [width, height] = [east - west, north - south];
  return [west - width, south - height, east + width, north + height];
}

export const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];

const EQUATOR_PX = 512;
const EQUATOR_M = 40_075_016.686;

/** How many pixels so many metres are at zoom 0; each zoom doubles them. */
export const pxAtZoom0 = (metres: number, latitude: number): number =>
  (metres * EQUATOR_PX) / (EQUATOR_M * Math.cos((latitude * Math.PI) / 180));
