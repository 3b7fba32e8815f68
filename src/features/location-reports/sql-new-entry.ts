import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { Accuracy } from '../consents/index.ts';
import { cachedPosition, type DeviceFailure, NOT_CACHED } from '../locations/index.ts';
import { COLUMNS, type Entry, type EntryRow, toEntry } from './sql-entry.ts';

export interface NewEntry {
  readonly deviceId: string;
  readonly msid: string;
  /** A known failure: neither the cache nor the network is queried. */
  readonly failure: DeviceFailure | undefined;
  /** The device lacks consent: neither the cache nor the network is queried until it is given. */
  readonly withheld: boolean;
  readonly deniedWhenAsked: boolean;
}

interface CacheUse {
  /** If false, only the network may answer. */
  readonly read: boolean;
  readonly accuracy: Accuracy;
  /** If true, devices not in the cache fail instead of waiting for the network. */
  readonly only: boolean;
  readonly notBefore: Date | undefined;
}

const insertion = (
  tenant: Tenant,
  txid: string,
  entries: readonly NewEntry[],
  { read, only, accuracy, notBefore }: CacheUse,
  now: Date,
) => sql`
  insert into location_entry (ecpd_id, txid, nth, device_id, msid, denied_when_asked, state, unasked, cached, latitude,
    longitude, radius_m, located_at, error_type, error_at)
  select owner.ecpd_id, ${txid}, asked.nth - 1, asked.device_id, asked.msid, asked.denied, known.state, known.state = 'withheld',
    p.at is not null, p.latitude, p.longitude, p.radius_m, p.at,
    case when known.state = 'failed' then coalesce(asked.error_type, ${NOT_CACHED.type}) end,
    case when known.state = 'failed' then ${now}::timestamptz end
  from profile owner cross join unnest(${plainArray(entries.map((e) => e.deviceId))}::uuid[], ${entries.map((e) => e.msid)}::text[],
    ${entries.map((e) => e.failure?.type ?? null)}::text[], ${entries.map((e) => e.withheld)}::boolean[],
    ${entries.map((e) => e.deniedWhenAsked)}::boolean[])
    with ordinality as asked (device_id, msid, error_type, withheld, denied, nth)
  left join lateral (${cachedPosition(tenant, trusted('asked.device_id'), {
    accuracy,
    notBefore: sql`${notBefore ?? '-infinity'}`,
  })}) p
    on ${read}::boolean and asked.error_type is null and not asked.withheld
  cross join lateral (
    select case when asked.error_type is not null then 'failed' when asked.withheld then 'withheld'
      when p.at is not null then 'located' when ${only}::boolean then 'failed' else 'waiting' end
  ) known (state)
  where owner.ecpd_id = ${tenant.ecpdId}`;

/** Writes the entries of a request in one statement. Returns how many wait for the network. */
export const insertEntries = (db: Db, ...request: Parameters<typeof insertion>): Promise<number> =>
  db.value<number>(sql`
    with written as (${insertion(...request)} returning state)
    select count(*) filter (where state = 'waiting')::int as waiting from written`);

/** The same, but returns the entries that do not wait. */
export const insertEntriesReturning = async (
  db: Db,
  ...request: Parameters<typeof insertion>
): Promise<readonly Entry[]> => {
  const rows = await db.many<EntryRow>(sql`
    with written as (${insertion(...request)} returning *)
    select ${COLUMNS} from written where state <> 'waiting' order by nth`);
  return rows.map(toEntry);
};
