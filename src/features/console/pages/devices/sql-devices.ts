import { DEVICE_ID_KINDS, type DeviceIdKind } from '../../../../kernel/device-id.ts';
import type { Tenant } from '../../../../platform/context/context.ts';
import type { Db } from '../../../../platform/db/db.ts';
import { type Query, sql, trusted, unprepared } from '../../../../platform/db/sql.ts';

export type FoundDevice = Readonly<
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

export interface DeviceListing {
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
export const findEndOfWalk = async (
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

export const isOneOf = (deviceIds: readonly string[]): Query => sql`d.device_id = any(${deviceIds}::uuid[])`;

/** Asked of each device that is looked at; the identifiers of a device are in its row as well. */
export const begins = (search: string): Query => sql`(${NAME} like lower(${beginsWith(search)})
  or exists (select from unnest(array[${trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '))}]) as own (value)
    where own.value like ${identifierBegins(search)}))`;

export const hasInName = (search: string): Query => sql`d.record->>'name' ilike ${`%${literal(search)}%`}`;

/** Lines of an account in the order in which they were added, up to `until`. */
export const listDevices = (
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
