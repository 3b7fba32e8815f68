import { chance } from './chance.ts';
import { DRAW, dayOf, hourOf, isWeekend, localTime, type Place } from './device.ts';

const KM_PER_DEGREE = 111.32;
const SPEED_KMH = 72;
const WORKS_ON_WEEKENDS = 0.25;
const WORKS_ON_WEEKDAYS = 0.92;
/** The largest deviation of a road from the straight line, as a share of its length. */
const BEND = 0.12;

export interface Whereabouts extends Place {
  readonly driving: boolean;
}

/** A vehicle's day, derived from its number alone: out in the morning, a stay, and home on the same road. */
export function whereabouts(home: Place, root: number, at: number): Whereabouts {
  const local = localTime(at, home);
  const day = dayOf(local);
  const draw = (what: number) => chance(root, what, day);
  const parked = { ...home, driving: false };
  if (draw(DRAW.works) > (isWeekend(day) ? WORKS_ON_WEEKENDS : WORKS_ON_WEEKDAYS)) return parked;
  const km = 30 + 200 * draw(DRAW.distance) ** 2;
  const hours = km / SPEED_KMH;
  const departed = hourOf(local) - (5.5 + 3 * draw(DRAW.departure));
  const stay = 0.75 + 2.5 * draw(DRAW.stay);
  if (departed < 0 || departed > 2 * hours + stay) return parked;
  const way = departed < hours ? departed / hours : Math.min(1, (2 * hours + stay - departed) / hours);
  const bearing = 2 * Math.PI * draw(DRAW.bearing);
  const aside = BEND * km * Math.sin(Math.PI * way) * (draw(DRAW.bend) * 2 - 1);
  const north = way * km * Math.cos(bearing) - aside * Math.sin(bearing);
  const east = way * km * Math.sin(bearing) + aside * Math.cos(bearing);
  return {
    lat: home.lat + north / KM_PER_DEGREE,
    lon: home.lon + east / (KM_PER_DEGREE * Math.cos((home.lat * Math.PI) / 180)),
    driving: way < 1,
  };
}
