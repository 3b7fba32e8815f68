import { DEVICE_ID_KINDS, type DeviceIdKind } from '../../../../kernel/device-id.ts';
import type { Tenant } from '../../../../platform/context.ts';
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

export interface DeviceSearch {
  /** The beginning of any identifier, or a part of the name. */
  readonly search: string | undefined;
  readonly state: string | undefined;
  readonly after: string;
  readonly limit: number;
}

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Long numbers are identifiers, which an index finds; looking at every name as well would take a large account a while. */
const NUMBER = /^[0-9]{6,}$/;

function fits({ ecpdId, accountName }: Pick<Tenant, 'ecpdId' | 'accountName'>, search: string): Query {
  const byIdentifier = sql`d.device_id in (
    select di.device_id from device_identifier di
    where di.ecpd_id = ${ecpdId} and di.account_name = ${accountName} and di.kind = any(${DEVICE_ID_KINDS}::text[])
      and di.value like ${`${literal(search.toUpperCase())}%`})`;
  return NUMBER.test(search)
    ? byIdentifier
    : sql`(${byIdentifier} or d.record->>'name' ilike ${`%${literal(search)}%`})`;
}

/** Lines of an account in the order in which they were added. Identifiers are found by the directory's index. */
export const findDevices = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { search, state, after, limit }: DeviceSearch,
) =>
  db.many<FoundDevice>(
    unprepared(sql`
      select d.device_id as "deviceId", d.list_number::text as "listNumber", d.record->>'name' as name,
        d.record->>'productmodel' as model, d.state, d.service_plan as "servicePlan", d.plan_since as "planSince",
        coalesce((d.simulation->>'online')::boolean, true) as online, ${trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '))}
      from device d
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor'
        and d.list_number > ${after}::bigint
        ${state === undefined ? sql`` : sql`and d.state = ${state}`}
        ${search === undefined ? sql`` : sql`and ${fits({ ecpdId, accountName }, search)}`}
      order by d.list_number limit ${limit}`),
  );
