import { COLD_CHAIN, ENERGY, FACILITIES, PRIMARY, WATER } from './accounts.ts';
import { seeded } from './generator.ts';
import { vinOf } from './identifiers.ts';
import { type Line, lineOf, type Numbering, type Series } from './lines.ts';
import { CAMERAS, METERS, ROUTERS, TABLET, TRACKERS } from './models.ts';
import { ATLANTA, CHICAGO, DALLAS, DENVER, FRESNO, PHOENIX } from './places.ts';
import { PLAN } from './plans.ts';

const TRUCKS: Series = {
  name: 'Truck',
  accountName: PRIMARY,
  count: 54,
  model: TRACKERS[0]!,
  places: [DALLAS, CHICAGO],
  plans: [PLAN.payg5Mb, PLAN.payg50Mb, PLAN.share1Gb],
  description: 'Tracker of a tractor unit',
  services: ['Location', 'fota'],
};
const DISPATCH: Series = {
  ...TRUCKS,
  name: 'Dispatch tablet',
  count: 1,
  model: TABLET,
  plans: [PLAN.share5Gb],
  description: 'Tablet of the dispatcher',
  services: [],
};
const DASH_CAMERAS: Series = {
  ...TRUCKS,
  name: 'Dash camera',
  count: 14,
  model: CAMERAS[0]!,
  plans: [PLAN.share5Gb, PLAN.video],
  description: 'Camera of a tractor unit',
};
const TRAILERS: Series = {
  ...TRUCKS,
  name: 'Trailer',
  accountName: COLD_CHAIN,
  count: 16,
  model: TRACKERS[1]!,
  places: [ATLANTA],
  plans: [PLAN.share1Gb, PLAN.share2Gb],
  description: 'Tracker of a refrigerated trailer',
};
const YARD_CAMERAS: Series = {
  name: 'Yard camera',
  accountName: FACILITIES,
  count: 10,
  model: CAMERAS[1]!,
  places: [DENVER],
  plans: [PLAN.video],
  description: 'Camera over a loading yard',
  services: ['Location'],
};
const DEPOT_ROUTERS: Series = {
  name: 'Depot router',
  accountName: FACILITIES,
  count: 12,
  model: ROUTERS[0]!,
  places: [DENVER],
  plans: [PLAN.fixed100, PLAN.fixed300],
  description: 'Internet of a depot',
  services: [],
};
const WATER_METERS: Series = {
  name: 'Water meter',
  accountName: WATER,
  count: 30,
  model: METERS[0]!,
  places: [FRESNO],
  plans: [PLAN.payg5Mb],
  description: 'Meter of a district main',
  services: ['Location', 'fota'],
};
const POWER_METERS: Series = {
  ...WATER_METERS,
  name: 'Power meter',
  accountName: ENERGY,
  count: 10,
  model: METERS[1]!,
  places: [PHOENIX],
  plans: [PLAN.payg5Mb, PLAN.payg50Mb],
  description: 'Meter of a substation',
};
const SUBSTATION_ROUTERS: Series = {
  ...DEPOT_ROUTERS,
  name: 'Substation router',
  accountName: ENERGY,
  count: 4,
  model: ROUTERS[1]!,
  places: [PHOENIX],
  description: 'Internet of a substation',
};

/** Exceptions for single devices of a series. */
function peculiarities({ name }: Series, n: number, { labels }: Line): Partial<Line> {
  if (name === TRUCKS.name) return { labels: [...labels, { name: 'VIN', value: vinOf(n + 1) }] };
  if (name === DISPATCH.name) return { iot: false };
  // Sold with its SIM and never updated over the air, so maintenance fails until it is.
  if (name === YARD_CAMERAS.name && n === 2) return { activatedBySku: true, otaUpdated: false };
  return {};
}

export function devices(now: Date, numbers: Numbering): readonly Line[] {
  const all = [
    ...[TRUCKS, DISPATCH, DASH_CAMERAS, TRAILERS],
    ...[YARD_CAMERAS, DEPOT_ROUTERS, WATER_METERS, POWER_METERS, SUBSTATION_ROUTERS],
  ];
  return all.flatMap((series) => {
    const generator = seeded(series.name);
    return Array.from({ length: series.count }, (_, n) => {
      const line = lineOf(series, n, now, generator, numbers);
      return { ...line, ...peculiarities(series, n, line) };
    });
  });
}
