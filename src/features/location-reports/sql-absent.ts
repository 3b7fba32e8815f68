import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { ABSENT, CONSENT_FAILED } from '../locations/index.ts';
import type { LocationRequest } from './location-request.ts';
import type { SettledEntry } from './sql-entry.ts';

const HOUR_MS = 3_600_000;

/**
 * A device that could not be reached, in one of the requests that asked for it. Without its status: the network is asked
 * between the read and the write, and a request may be completed meanwhile.
 */
export interface AbsentEntry extends Omit<LocationRequest, 'status'> {
  readonly nth: number;
  readonly deviceId: string;
  readonly msid: string;
  readonly outcome: undefined;
}

/** Looked at in one go; what is left is found by the next look. */
const ENTRIES_MAX = 2_000;

/**
 * When a device that was reached and could not be located is asked for again: after half the time that was spent on it
 * already, not within an hour, and at least once a day. So it is asked for some forty times in all, and not at every sign
 * of life. `e` is its entry, `r` the request.
 */
const isDue = (now: Date): Query => sql`e.error_at <= ${now}::timestamptz
  - greatest(interval '1 hour', least(interval '1 day', (e.error_at - r.created_at) / 2))`;

/** Oldest request first. */
export const listAbsent = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  { now, endedAfter }: { now: Date; endedAfter: Date },
) =>
  db.many<AbsentEntry>(sql`
    select e.nth, e.device_id as "deviceId", e.msid, r.txid, r.answered_by as "answeredBy", r.accuracy,
      r.cache_mode as "cacheMode", r.total_count as "totalCount"
    from location_entry e
    join location_request r on r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.txid = e.txid
    where e.ecpd_id = ${ecpdId} and e.state = 'absent' and e.device_id = any(${plainArray(deviceIds)}::uuid[])
      and (r.ended_at is null or r.ended_at > ${endedAfter}) and (e.error_type = ${ABSENT.type} or ${isDue(now)})
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
  { now, endedAfter, limit }: { now: Date; endedAfter: Date; limit: number },
) =>
  db.many<Tenant & { deviceIds: string[] }>(sql`
    select due.ecpd_id as "ecpdId", due.account_name as "accountName", array_agg(distinct due.device_id) as "deviceIds"
    from (
      select e.ecpd_id, r.account_name, e.device_id from location_entry e
      join location_request r on r.ecpd_id = e.ecpd_id and r.txid = e.txid
      where e.state = 'absent' and e.error_at < ${new Date(now.getTime() - HOUR_MS)}
        and (r.ended_at is null or r.ended_at > ${endedAfter}) and (e.error_type = ${ABSENT.type} or ${isDue(now)})
      order by e.error_at limit ${limit}) due
    group by due.ecpd_id, due.account_name`);

/**
 * Notes what came of asking for devices that are still waited for. Who may not be located now was not asked for, and is
 * looked at again like one that cannot be reached.
 */
export async function postponeEntries(
  db: Db,
  { ecpdId }: Tenant,
  txid: string,
  entries: readonly Pick<SettledEntry, 'nth' | 'outcome'>[],
): Promise<void> {
  const failed = entries.flatMap(({ nth, outcome }) => ('failure' in outcome ? [{ nth, ...outcome }] : []));
  if (failed.length === 0) return;
  const types = failed.map(({ failure: { type } }) => (type === CONSENT_FAILED.type ? ABSENT.type : type));
  await db.exec(sql`
    update location_entry e set error_type = f.type, error_info = null, error_at = f.at
    from unnest(${plainArray(failed.map(({ nth }) => nth))}::int[], ${types}::text[],
      ${plainArray(failed.map(({ at }) => at))}::timestamptz[]) as f (nth, type, at)
    where e.ecpd_id = ${ecpdId} and e.txid = ${txid} and e.nth = f.nth and e.state = 'absent'
      and e.nth = any(${plainArray(failed.map(({ nth }) => nth))}::int[])`);
}
