import type { Fix } from '../../features/locations/index.ts';
import { parseCoordinate } from './coordinates.ts';
import { childOf, childrenOf, type Element, textOf } from './xml.ts';

type Place = Pick<Fix, 'latitude' | 'longitude'>;
export type Area = Omit<Fix, 'at'>;

const METRES_PER_DEGREE = 111_320;
/** A plausible polygon has at most this many points. */
const POINTS_MAX = 1_000;
const RADIUS_MAX_M = 20_040_000;
/** Number of points at which an arc is measured, including its ends. */
const ARC_POINTS = 65;
const UNITS: Readonly<Record<string, number>> = { meter: 1, metre: 1, m: 1, kilometer: 1_000, km: 1_000 };

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** A degree of longitude covers few metres near a pole. */
const narrowing = (latitude: number): number => Math.max(Math.cos(radians(latitude)), 1e-3);
const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

/** The place at a distance and a bearing, clockwise from north. Accurate enough for the size of a cell. */
function away({ latitude, longitude }: Place, metres: number, bearing: number): Place {
  const [north, east] = [metres * Math.cos(radians(bearing)), metres * Math.sin(radians(bearing))];
  return {
    latitude: Math.min(90, Math.max(-90, latitude + north / METRES_PER_DEGREE)),
    longitude: wrapped(longitude + east / (METRES_PER_DEGREE * narrowing(latitude))),
  };
}

function metresBetween(a: Place, b: Place): number {
  const north = (a.latitude - b.latitude) * METRES_PER_DEGREE;
  const east =
    wrapped(a.longitude - b.longitude) * METRES_PER_DEGREE * narrowing((a.latitude + b.latitude) / 2);
  return Math.hypot(north, east);
}

/** The circle around a centre that contains all these places. */
const around = (centre: Place, places: readonly Place[]): Area => ({
  ...centre,
  radiusM: Math.ceil(Math.max(...places.map((place) => metresBetween(centre, place)))),
});

function placeOf(coord: Element | undefined): Place | undefined {
  const [x, y] = [textOf(childOf(coord, 'X')), textOf(childOf(coord, 'Y'))];
  const latitude = x === undefined ? undefined : parseCoordinate(x, 'latitude');
  const longitude = y === undefined ? undefined : parseCoordinate(y, 'longitude');
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

function numberOf(shape: Element, name: string, max: number): number | undefined {
  const text = textOf(childOf(shape, name))?.trim() ?? '';
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) return undefined;
  return Number(text) <= max ? Number(text) : undefined;
}

function metresOf(shape: Element, name: string): number | undefined {
  const unit = UNITS[textOf(childOf(shape, 'distanceUnit'))?.trim().toLowerCase() ?? 'meter'];
  const number = numberOf(shape, name, RADIUS_MAX_M);
  return unit === undefined || number === undefined ? undefined : Math.min(number * unit, RADIUS_MAX_M);
}

function circle(shape: Element): Area | undefined {
  const [centre, radiusM] = [placeOf(childOf(shape, 'coord')), metresOf(shape, 'radius')];
  return centre && radiusM !== undefined ? { ...centre, radiusM } : undefined;
}

function ellipse(shape: Element): Area | undefined {
  const centre = placeOf(childOf(shape, 'coord'));
  const [major, minor] = [metresOf(shape, 'semiMajor'), metresOf(shape, 'semiMinor') ?? 0];
  return centre && major !== undefined ? { ...centre, radiusM: Math.max(major, minor) } : undefined;
}

function point(shape: Element): Area | undefined {
  const place = placeOf(childOf(shape, 'coord'));
  return place && { ...place, radiusM: 0 };
}

/** A sector of a ring around a site. `stopAngle` is its width, measured from `startAngle`. */
function arc(shape: Element): Area | undefined {
  const site = placeOf(childOf(shape, 'coord'));
  const [inner, outer] = [metresOf(shape, 'inRadius'), metresOf(shape, 'outRadius')];
  const [start, opening] = [numberOf(shape, 'startAngle', 360), numberOf(shape, 'stopAngle', 360)];
  if (!site || inner === undefined || outer === undefined || inner > outer) return undefined;
  if (start === undefined || opening === undefined) return undefined;
  if (opening >= 180) return { ...site, radiusM: outer };
  const bearings = Array.from({ length: ARC_POINTS }, (_, n) => start + (opening * n) / (ARC_POINTS - 1));
  const edge = [inner, outer].flatMap((metres) => bearings.map((bearing) => away(site, metres, bearing)));
  return around(away(site, (inner + outer) / 2, start + opening / 2), edge);
}

function polygon(shape: Element): Area | undefined {
  const corners = childrenOf(childOf(shape, 'outerBoundaryIs', 'LinearRing'), 'coord');
  if (corners.length === 0 || corners.length > POINTS_MAX) return undefined;
  const places = corners.map(placeOf).filter((place) => place !== undefined);
  const [first] = places;
  if (first === undefined || places.length < corners.length) return undefined;
  // Longitudes relative to the first corner, for shapes across the date line.
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const centre = {
    latitude: mean(places.map(({ latitude }) => latitude)),
    longitude: wrapped(
      first.longitude + mean(places.map(({ longitude }) => wrapped(longitude - first.longitude))),
    ),
  };
  return around(centre, places);
}

const SHAPES: Readonly<Record<string, (shape: Element) => Area | undefined>> = {
  CircularArea: circle,
  CircularArcArea: arc,
  EllipticalArea: ellipse,
  Point: point,
  Polygon: polygon,
};

/** A circle that contains the first readable shape; undefined if there is none. */
export function areaOf(shape: Element | undefined): Area | undefined {
  for (const [name, read] of Object.entries(SHAPES)) {
    const found = childOf(shape, name);
    const area = found && read(found);
    if (area !== undefined) return area;
  }
  return undefined;
}
