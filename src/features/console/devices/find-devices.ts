import { DEVICE_ID_KINDS, type DeviceIdKind } from '../../../kernel/device-id.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { joinSql, type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';
import { isConnected } from '../../devices/index.ts';
import { conditionsOf, type DeviceFilter, literal } from './device-filter.ts';
import { inOrder, isBeyond, isWithin, NAME, type Order, placeOf } from './device-order.ts';

type FoundDevice = Readonly<
  {
    deviceId: string;
    place: string;
    name: string | null;
    model: string | null;
    state: string;
    servicePlan: string | null;
    planSince: Date | null;
    online: boolean;
    labels: { name: string; value: string }[];
    addedAt: Date;
  } & { [K in DeviceIdKind]: string | null }
>;

interface DeviceListing extends DeviceFilter {
  readonly order?: Order | undefined;
  /** The place of the last device of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

const beginsWith = (search: string): string => `${literal(search)}%`;
const identifierBegins = (search: string): string => beginsWith(search.toUpperCase());

/** Devices whose identifier or name begins with the text, at most `limit` of each, by the indexes of both. */
export const devicesBeginning = ({ ecpdId, accountName }: Tenant, search: string, limit: number): Query =>
  unprepared(sql`
    (select di.device_id as "deviceId" from device_identifier di
     where di.ecpd_id = ${ecpdId} and di.account_name = ${accountName} and di.kind = any(${DEVICE_ID_KINDS}::text[])
       and di.value like ${identifierBegins(search)} limit ${limit})
    union all
    (select d.device_id from device d
     where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor'
       and ${NAME} like lower(${beginsWith(search)}) limit ${limit})`);

const also = (conditions: readonly Query[]): Query =>
  conditions.length === 0 ? sql`` : sql`and ${joinSql(conditions, ' and ')}`;

type Place = Pick<DeviceListing, 'order' | 'after'>;
const beyond = ({ order = 'oldest', after }: Place): readonly Query[] =>
  after === undefined ? [] : [isBeyond(order, after)];

/** The last of `devices` devices after a place; undefined if there are fewer. */
const findEndOfWalk = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { order = 'oldest', after }: Place,
  devices: number,
): Promise<string | undefined> =>
  db.maybeValue<string>(
    unprepared(sql`
    select ${placeOf(order)} as last from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor' ${also(beyond({ order, after }))}
    ${inOrder(order)} offset ${devices - 1} limit 1`),
  );

/** Most accounts have fewer lines. The index of line numbers shows that faster than a walk through any other index. */
const findEnd = async (db: Db, tenant: Tenant, place: Place, devices: number): Promise<string | undefined> =>
  (await findEndOfWalk(db, tenant, { after: undefined }, devices + 1)) === undefined
    ? undefined
    : findEndOfWalk(db, tenant, place, devices);

const isOneOf = (deviceIds: readonly string[]): Query => sql`d.device_id = any(${deviceIds}::uuid[])`;

/** Checked for each scanned device, whose row has its identifiers as well. */
const begins = (search: string): Query => sql`(${NAME} like lower(${beginsWith(search)})
  or exists (select 1 from unnest(array[${trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '))}]) as own (value)
    where own.value like ${identifierBegins(search)}))`;

const hasInName = (search: string): Query => sql`d.record->>'name' ilike ${`%${literal(search)}%`}`;

/** Lines of an account, up to `until`. */
const listDevices = (
  db: Db,
  tenant: Tenant,
  { order = 'oldest', after, limit, ...filter }: DeviceListing,
  { fits, until }: { readonly fits?: Query | undefined; readonly until?: string | undefined } = {},
) =>
  db.many<FoundDevice>(
    unprepared(sql`
      select d.device_id as "deviceId", ${placeOf(order)} as place, d.record->>'name' as name,
        d.record->>'productmodel' as model, d.state, d.service_plan as "servicePlan", d.plan_since as "planSince", d.labels,
        d.created_on as "addedAt", ${isConnected(tenant)} as online,
        ${trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '))}
      from device d
      where d.ecpd_id = ${tenant.ecpdId} and d.account_name = ${tenant.accountName} and d.kind <> 'sensor'
        ${also([
          ...beyond({ order, after }),
          ...(until === undefined ? [] : [isWithin(order, until)]),
          ...conditionsOf(tenant, filter),
          ...(fits === undefined ? [] : [fits]),
        ])}
      ${inOrder(order)} limit ${limit}`),
  );

export interface DeviceSearch extends DeviceListing {
  /** The beginning of any identifier or of the name. If nothing begins with it, a part of the name. */
  readonly search: string | undefined;
}

export interface SearchBounds {
  /** At most this many are fetched by their ids. If there are more, a walk through the account soon finds the first. */
  readonly namedMax: number;
  /** At most this many devices are scanned for one page, whether they match or not. */
  readonly scannedMax: number;
}
export const BOUNDS: SearchBounds = { namedMax: 1_000, scannedMax: 100_000 };

interface DevicePage {
  readonly devices: readonly FoundDevice[];
  readonly next: string | undefined;
}

const lastOf = (devices: readonly FoundDevice[], limit: number): string | undefined =>
  devices.length === limit ? devices.at(-1)?.place : undefined;

/** The condition of a search on each device, and whether it matches so few that they are found by their ids. */
async function resolveSearch(
  db: Db,
  tenant: Tenant,
  search: string | undefined,
  namedMax: number,
): Promise<{ readonly fits?: Query; readonly isNamed: boolean }> {
  if (search === undefined) return { isNamed: false };
  const found = await db.many<{ deviceId: string }>(devicesBeginning(tenant, search, namedMax + 1));
  const named = found.map(({ deviceId }) => deviceId);
  if (named.length === 0) return { fits: hasInName(search), isNamed: false };
  if (named.length > namedMax) return { fits: begins(search), isNamed: false };
  return { fits: isOneOf(named), isNamed: true };
}

/**
 * Identifiers and names that begin with the search are found by index. Only if there are none does it scan names for a part. When it
 * scans each device, a page may have few or no matches although the list continues.
 */
export async function findDevices(
  db: Db,
  tenant: Tenant,
  { search, ...asked }: DeviceSearch,
  { namedMax, scannedMax }: SearchBounds = BOUNDS,
): Promise<DevicePage> {
  const { fits, isNamed } = await resolveSearch(db, tenant, search, namedMax);
  const scansEach = !isNamed && (fits !== undefined || conditionsOf(tenant, asked).length > 0);
  const until = scansEach ? await findEnd(db, tenant, asked, scannedMax) : undefined;
  const devices = await listDevices(db, tenant, asked, { fits, until });
  return { devices, next: lastOf(devices, asked.limit) ?? until };
}

interface DeviceCount {
  readonly count: number;
  /** False if there may be more, because not all devices were scanned. */
  readonly exact: boolean;
}

/** The number of matching lines, counted up to a bound. */
export async function countDevices(
  db: Db,
  tenant: Tenant,
  { search, ...filter }: DeviceFilter & Pick<DeviceSearch, 'search'>,
  { namedMax, scannedMax }: SearchBounds = BOUNDS,
): Promise<DeviceCount> {
  const { ecpdId, accountName } = tenant;
  const { fits, isNamed } = await resolveSearch(db, tenant, search, namedMax);
  const until = isNamed ? undefined : await findEndOfWalk(db, tenant, { after: undefined }, scannedMax + 1);
  const conditions = [
    ...(until === undefined ? [] : [sql`d.list_number < ${until}::bigint`]),
    ...conditionsOf(tenant, filter),
    ...(fits === undefined ? [] : [fits]),
  ];
  const { count } = await db.one<{ count: number }>(
    unprepared(sql`
      select count(*)::int as count from device d
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor' ${also(conditions)}`),
  );
  return { count, exact: until === undefined };
}
