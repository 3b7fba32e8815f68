import { DEVICE_ID_KINDS, type DeviceIdKind } from '../../../kernel/device-id.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';

type FoundDevice = Readonly<
  {
    deviceId: string;
    listNumber: string;
    name: string | null;
    model: string | null;
    state: string;
    servicePlan: string | null;
    planSince: Date | null;
    online: boolean;
  } & { [K in DeviceIdKind]: string | null }
>;

interface DeviceListing {
  readonly state: string | undefined;
  readonly after: string;
  readonly limit: number;
}

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
const beginsWith = (search: string): string => `${literal(search)}%`;
const identifierBegins = (search: string): string => beginsWith(search.toUpperCase());

/** As the index of names has it. */
const NAME = trusted(`lower(left(d.record->>'name', 64))`);

/** Devices of which an identifier or the name begins so, at most that many of each; by the indexes of both. */
export const thoseThatBegin = ({ ecpdId, accountName }: Tenant, search: string, limit: number): Query =>
  unprepared(sql`
    (select di.device_id as "deviceId" from device_identifier di
     where di.ecpd_id = ${ecpdId} and di.account_name = ${accountName} and di.kind = any(${DEVICE_ID_KINDS}::text[])
       and di.value like ${identifierBegins(search)} limit ${limit})
    union all
    (select d.device_id from device d
     where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor'
       and ${NAME} like lower(${beginsWith(search)}) limit ${limit})`);

/** The last of so many devices after one; undefined where there are fewer. */
const findEndOfWalk = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, devices }: { readonly after: string; readonly devices: number },
): Promise<string | undefined> =>
  (
    await db.maybe<{ last: string }>(sql`
      select list_number::text as last from device
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and kind <> 'sensor' and list_number > ${after}::bigint
      order by list_number offset ${devices - 1} limit 1`)
  )?.last;

const isOneOf = (deviceIds: readonly string[]): Query => sql`d.device_id = any(${deviceIds}::uuid[])`;

/** Asked of each device that is looked at; the identifiers of a device are in its row as well. */
const begins = (search: string): Query => sql`(${NAME} like lower(${beginsWith(search)})
  or exists (select 1 from unnest(array[${trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '))}]) as own (value)
    where own.value like ${identifierBegins(search)}))`;

const hasInName = (search: string): Query => sql`d.record->>'name' ilike ${`%${literal(search)}%`}`;

/** Lines of an account in the order in which they were added, up to `until`. */
const listDevices = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { state, after, limit }: DeviceListing,
  { fits, until }: { readonly fits?: Query | undefined; readonly until?: string | undefined } = {},
) =>
  db.many<FoundDevice>(
    unprepared(sql`
      select d.device_id as "deviceId", d.list_number::text as "listNumber", d.record->>'name' as name,
        d.record->>'productmodel' as model, d.state, d.service_plan as "servicePlan", d.plan_since as "planSince",
        coalesce((d.simulation->>'online')::boolean, true) as online, ${trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '))}
      from device d
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor'
        and d.list_number > ${after}::bigint
        ${until === undefined ? sql`` : sql`and d.list_number <= ${until}::bigint`}
        ${state === undefined ? sql`` : sql`and d.state = ${state}`}
        ${fits === undefined ? sql`` : sql`and ${fits}`}
      order by d.list_number limit ${limit}`),
  );

export interface DeviceSearch extends DeviceListing {
  /** The beginning of any identifier or of the name; where nothing begins so, a part of the name. */
  readonly search: string | undefined;
}

export interface SearchBounds {
  /** So many are fetched by their ids; of more, the first are soon met on a walk through the account. */
  readonly namedMax: number;
  /** So many devices are looked at for one page, whether they fit or not. */
  readonly lookedMax: number;
}
const BOUNDS: SearchBounds = { namedMax: 1_000, lookedMax: 100_000 };

interface DevicePage {
  readonly devices: readonly FoundDevice[];
  readonly next: string | undefined;
}

const lastOf = (devices: readonly FoundDevice[], limit: number): string | undefined =>
  devices.length === limit ? devices.at(-1)?.listNumber : undefined;

/** Looks at each device. A page may have few or none and the list still go on. */
async function walk(
  db: Db,
  tenant: Tenant,
  asked: DeviceListing,
  fits: Query,
  lookedMax: number,
): Promise<DevicePage> {
  const until = await findEndOfWalk(db, tenant, { after: asked.after, devices: lookedMax });
  const devices = await listDevices(db, tenant, asked, { fits, until });
  return { devices, next: lastOf(devices, asked.limit) ?? until };
}

/** What begins so is found by index; only where nothing does are names read for a part of them. */
export async function findDevices(
  db: Db,
  tenant: Tenant,
  { search, ...asked }: DeviceSearch,
  { namedMax, lookedMax }: SearchBounds = BOUNDS,
): Promise<DevicePage> {
  if (search === undefined) {
    const devices = await listDevices(db, tenant, asked);
    return { devices, next: lastOf(devices, asked.limit) };
  }
  const found = await db.many<{ deviceId: string }>(thoseThatBegin(tenant, search, namedMax + 1));
  const named = found.map(({ deviceId }) => deviceId);
  if (named.length === 0) return walk(db, tenant, asked, hasInName(search), lookedMax);
  if (named.length > namedMax) return walk(db, tenant, asked, begins(search), lookedMax);
  const devices = await listDevices(db, tenant, asked, { fits: isOneOf(named) });
  return { devices, next: lastOf(devices, asked.limit) };
}
