import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, trusted, unprepared } from '../../platform/db/sql.ts';
import {
  allExcluded,
  findAccountAccuracy,
  joinOwnLevels,
  listWithheld,
  requireRegistered,
  type Shown,
  shownBy,
} from '../consents/index.ts';
import { DEVICE_STATES, type DeviceState, SHOWN_NAME } from '../devices/index.ts';
import type { Fix } from './location.ts';
import { listPositions } from './sql-position.ts';

interface FleetPosition extends Fix {
  readonly deviceId: string;
  readonly name: string;
  readonly state: DeviceState;
}

/** JSON arrays, one for each field of a position. The nth items of all arrays belong to one position. */
export interface PositionColumns {
  readonly ids: string;
  readonly names: string;
  readonly latitudes: string;
  readonly longitudes: string;
  readonly radii: string;
  readonly times: string;
  readonly states: string;
}

/** The stored positions that the current consent allows: precise where allowed, else coarse, else none. */
async function knownOf(
  { db }: Ctx,
  tenant: Tenant,
  devices: readonly FleetDevice[],
): Promise<readonly FleetPosition[]> {
  const ids = devices.map(({ deviceId }) => deviceId);
  const notPrecise = await listWithheld(db, tenant, ids, 'precise');
  const nothing = await listWithheld(db, tenant, [...notPrecise.keys()], 'coarse');
  const precise = ids.filter((id) => !notPrecise.has(id));
  const coarse = ids.filter((id) => notPrecise.has(id) && !nothing.has(id));
  const fixes = [
    ...(await listPositions(db, tenant, precise, { accuracy: 'precise', notBefore: undefined })),
    ...(await listPositions(db, tenant, coarse, { accuracy: 'coarse', notBefore: undefined })),
  ];
  const known = new Map(devices.map((device) => [device.deviceId, device]));
  return fixes.map((fix) => {
    const { name, state } = known.get(fix.deviceId)!;
    return { ...fix, name, state };
  });
}

/** A millionth of a degree is a tenth of a metre. */
export const DEGREE_PARTS = 1e6;
const degrees = (value: number): number => Math.round(value * DEGREE_PARTS) / DEGREE_PARTS;

export const columnsOf = (positions: readonly FleetPosition[]): PositionColumns => {
  const write = (column: (position: FleetPosition) => unknown) => JSON.stringify(positions.map(column));
  return {
    ids: write(({ deviceId }) => deviceId),
    names: write(({ name }) => name),
    latitudes: write(({ latitude }) => degrees(latitude)),
    longitudes: write(({ longitude }) => degrees(longitude)),
    radii: write(({ radiusM }) => Math.round(radiusM)),
    times: write(({ at }) => Math.floor(at.getTime() / 1_000)),
    states: write(({ state }) => DEVICE_STATES.indexOf(state)),
  };
};

interface Page {
  readonly after: string;
  readonly limit: number;
}

/** The last known positions of an account's devices. Queries no network and bills nothing. */
export async function listFleetPositions(
  ctx: Ctx,
  tenant: Tenant,
  page: Page,
): Promise<{ readonly columns: PositionColumns; readonly next: string | undefined }> {
  await requireRegistered(ctx, tenant);
  const known = await findKnown(ctx.db, tenant);
  if (known === undefined) return { columns: columnsOf([]), next: undefined };
  const { count, last, ...columns } = await readColumns(ctx.db, tenant, page, known);
  return { columns, next: count === page.limit ? last : undefined };
}

/** The positions that changed since a time. `more`: there are too many for one answer. */
export async function listPositionNews(
  ctx: Ctx,
  tenant: Tenant,
  asked: { readonly since: Date; readonly limit: number },
): Promise<{ readonly positions: readonly FleetPosition[]; readonly more: boolean }> {
  await requireRegistered(ctx, tenant);
  const devices = await listLocatedSince(ctx.db, tenant, asked);
  return { positions: await knownOf(ctx, tenant, devices), more: devices.length === asked.limit };
}

interface FleetDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly state: DeviceState;
}

/** The condition that a device `d` can be located at all. */
export const LOCATABLE = trusted(`d.kind <> 'sensor' and d.iot and d.state <> 'deactive'`);

const NEWEST = trusted('p.*, f.latitude, f.longitude, f.radius_m, f.at');

/** The positions of the devices `p` of `page` that the current consent allows; undefined if it allows none. */
async function findKnown(db: Db, tenant: Tenant): Promise<Query | undefined> {
  const { accuracy, differs } = await findAccountAccuracy(db, tenant);
  if (differs) return knownEach(tenant, accuracy);
  return accuracy === 'nothing' ? undefined : knownAll(tenant, accuracy);
}

/** When one consent applies to all devices. */
const knownAll = ({ ecpdId }: Tenant, accuracy: Shown): Query => sql`
  select distinct on (p.device_id) ${NEWEST}
  from page p join device_position f on f.ecpd_id = ${ecpdId} and f.device_id = p.device_id
  where f.accuracy = 'coarse' or ${accuracy === 'precise'}::boolean
  order by p.device_id, f.at desc, f.accuracy desc`;

/** When some devices have their own consent or are excluded. */
const knownEach = (tenant: Tenant, otherwise: Shown): Query => sql`
  select distinct on (p.device_id) ${NEWEST}
  from (
    select p.*, ${shownBy(sql`own.level`, otherwise)} as shown from page p ${joinOwnLevels(tenant)}
    where p.device_id not in (${allExcluded(tenant)})) p
  join device_position f on f.ecpd_id = ${tenant.ecpdId} and f.device_id = p.device_id
  where p.shown = 'precise' or (p.shown = 'coarse' and f.accuracy = 'coarse')
  order by p.device_id, f.at desc, f.accuracy desc`;

/**
 * The positions of a page of locatable devices, in the order in which the devices were added. The database builds the JSON,
 * so this process does not parse and rewrite rows, and no list of ids is sent to the database and back.
 */
const readColumns = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: Page,
  known: Query,
): Promise<PositionColumns & { readonly count: number; readonly last: string }> =>
  // The best plan depends on how many devices have their own consent.
  db.one(
    unprepared(sql`
    with page as materialized (
      select d.device_id, d.list_number, d.state,
        ${SHOWN_NAME} as name
      from device d
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and ${LOCATABLE} and d.list_number > ${after}::bigint
      order by d.list_number limit ${limit}),
    known as materialized (${known})
    select (select count(*)::int from page) as count, (select max(list_number)::text from page) as last,
      coalesce(json_agg(k.device_id), '[]')::text as ids, coalesce(json_agg(k.name), '[]')::text as names,
      '[' || coalesce(string_agg((round(k.latitude * ${DEGREE_PARTS}::float8) / ${DEGREE_PARTS}::float8)::text, ','), '') || ']' as latitudes,
      '[' || coalesce(string_agg((round(k.longitude * ${DEGREE_PARTS}::float8) / ${DEGREE_PARTS}::float8)::text, ','), '') || ']' as longitudes,
      '[' || coalesce(string_agg(round(k.radius_m)::bigint::text, ','), '') || ']' as radii,
      '[' || coalesce(string_agg(floor(extract(epoch from k.at))::bigint::text, ','), '') || ']' as times,
      '[' || coalesce(string_agg((array_position(${DEVICE_STATES}::text[], k.state) - 1)::text, ','), '') || ']' as states
    from known k`),
  );

/** The devices with a position received since. Every position has a coarse form, so each device has one such row. */
const listLocatedSince = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { since, limit }: { readonly since: Date; readonly limit: number },
) =>
  db.many<FleetDevice>(sql`
    select d.device_id as "deviceId", d.state, ${SHOWN_NAME} as name from device_position p
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = p.device_id
    where p.ecpd_id = ${ecpdId} and p.accuracy like 'coarse' and p.received_at >= ${since} and d.account_name = ${accountName}
      and ${LOCATABLE}
    order by p.received_at limit ${limit}`);
