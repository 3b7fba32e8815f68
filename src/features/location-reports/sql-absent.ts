import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { LocationRequest } from './location-request.ts';

/** A device that could not be reached, in one of the requests that asked for it. */
export interface AbsentEntry extends LocationRequest {
  readonly nth: number;
  readonly deviceId: string;
  readonly msid: string;
  readonly outcome: undefined;
}

/** Looked at in one go; what is left is found by the next look. */
const ENTRIES_MAX = 2_000;

/** Oldest request first. */
export const listAbsent = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  endedAfter: Date,
) =>
  db.many<AbsentEntry>(sql`
    select e.nth, e.device_id as "deviceId", e.msid, r.txid, r.answered_by as "answeredBy", r.accuracy,
      r.cache_mode as "cacheMode", r.status, r.total_count as "totalCount"
    from location_entry e
    join location_request r on r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.txid = e.txid
    where e.ecpd_id = ${ecpdId} and e.state = 'absent' and e.device_id = any(${plainArray(deviceIds)}::uuid[])
      and (r.ended_at is null or r.ended_at > ${endedAfter})
    order by r.created_at, r.txid, e.nth limit ${ENTRIES_MAX}`);

export const isAwaited = async (db: Db, ecpdId: string, deviceId: string): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (select from location_entry
        where ecpd_id = ${ecpdId} and device_id = ${deviceId} and state = 'absent') as found`)
  ).found;

/** Devices that were last asked for before a time, by account; a read across profiles that takes no locks. */
export const listLongAbsent = (
  db: Db,
  { askedBefore, endedAfter, limit }: { askedBefore: Date; endedAfter: Date; limit: number },
) =>
  db.many<Tenant & { deviceIds: string[] }>(sql`
    select r.ecpd_id as "ecpdId", r.account_name as "accountName", array_agg(distinct r.device_id) as "deviceIds"
    from (
      select e.ecpd_id, q.account_name, e.device_id from location_entry e
      join location_request q on q.ecpd_id = e.ecpd_id and q.txid = e.txid
      where e.state = 'absent' and e.error_at < ${askedBefore} and (q.ended_at is null or q.ended_at > ${endedAfter})
      order by e.error_at limit ${limit}) r
    group by r.ecpd_id, r.account_name`);
