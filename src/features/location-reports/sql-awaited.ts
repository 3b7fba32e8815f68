import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { Accuracy } from '../consents/index.ts';
import { ABSENT, cachedPosition, type Fix } from '../locations/index.ts';
import type { LocationRequest } from './location-request.ts';
import { among, type Entry, type Settled } from './sql-entry.ts';

const HOUR_MS = 3_600_000;

/**
 * An entry whose device is located again, because it was unreachable or lacked consent. It leaves out the request's status:
 * the network is queried between the read and the write, and the request may be completed in that time.
 */
export interface AwaitedEntry extends Omit<LocationRequest, 'status'>, Entry {
  /** How old a cached position may be. */
  readonly maxAgeMs: number | null;
  readonly state: 'absent' | 'withheld';
  readonly outcome: undefined;
}

/** The entry's key, unique in a profile. */
export const placeOf = ({ txid, nth }: Pick<AwaitedEntry, 'txid' | 'nth'>): string => `${txid} ${nth}`;

/** Every entry that waits for one of the devices, in any account. Reads the two states by their own partial indexes. */
const awaiting = (ecpdId: string, deviceIds: readonly string[]): Query => sql`
  select * from location_entry
  where ecpd_id = ${ecpdId} and state = 'absent' and device_id = any(${plainArray(deviceIds)}::uuid[])
  union all
  select * from location_entry
  where ecpd_id = ${ecpdId} and unasked and state = 'withheld' and device_id = any(${plainArray(deviceIds)}::uuid[])`;

/** How many entries wait for each device, in key order. */
export const countAwaited = (db: Db, { ecpdId }: Tenant, deviceIds: readonly string[]) =>
  db.many<{ deviceId: string; count: number }>(sql`
    select device_id as "deviceId", count(*)::int as count from (${awaiting(ecpdId, deviceIds)}) e
    group by device_id order by device_id`);

/**
 * When a device that was reached but not located is tried again: after half the time since the request was made, but at
 * least an hour and at most a day. This limits it to some forty tries in total, instead of one at every sign of life. `e` is
 * its entry, `r` the request.
 */
const isDue = (now: Date): Query => sql`e.error_at <= ${now}::timestamptz
  - greatest(interval '1 hour', least(interval '1 day', (e.error_at - r.created_at) / 2))`;

/**
 * Every entry that waits for a device which is due in at least one of them: one position then serves all. Oldest request
 * first.
 */
export const listAwaited = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  { now, endedAfter }: { now: Date; endedAfter: Date },
) =>
  db.many<AwaitedEntry>(sql`
    select * from (
    select e.nth, e.device_id as "deviceId", e.msid, e.denied_when_asked as "deniedWhenAsked", e.state, r.txid,
      r.answered_by as "answeredBy", r.accuracy, r.cache_mode as "cacheMode", r.max_age_ms::float8 as "maxAgeMs",
      r.total_count as "totalCount", r.created_at as "createdAt",
      bool_or(e.unasked or e.error_type = ${ABSENT.type} or ${isDue(now)}) over (partition by e.device_id, r.accuracy) as due
    from (${awaiting(ecpdId, deviceIds)}) e
    join location_request r on r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.txid = e.txid
    where r.ended_at is null or r.ended_at > ${endedAfter}) awaited
    where due order by "createdAt", txid, nth`);

/**
 * The entries that still wait, as they are now: another worker may have located the device for them in vain. While the caller
 * holds locks on their requests, this does not change.
 */
export async function keepAwaited(
  db: Db,
  { ecpdId }: Tenant,
  entries: readonly AwaitedEntry[],
): Promise<readonly AwaitedEntry[]> {
  const rows = await db.many<{ n: number; state: AwaitedEntry['state'] }>(sql`
    select asked.n::int as n, e.state
    from unnest(${plainArray(entries.map(({ txid }) => txid))}::uuid[], ${plainArray(entries.map(({ nth }) => nth))}::int[])
      with ordinality as asked (txid, nth, n)
    join location_entry e on e.ecpd_id = ${ecpdId} and e.txid = asked.txid and e.nth = asked.nth
    where e.state in ('absent', 'withheld') order by asked.n`);
  return rows.map(({ n, state }) => ({ ...entries[n - 1]!, state }));
}

/** The cached position for each device, undefined if there is none. The caller must check consent. */
export async function listCached(
  db: Db,
  tenant: Tenant,
  accuracy: Accuracy,
  asked: readonly { readonly deviceId: string; readonly notBefore: Date | undefined }[],
): Promise<readonly (Fix | undefined)[]> {
  const found: (Fix | undefined)[] = asked.map(() => undefined);
  const notBefore = trusted("coalesce(asked.not_before, '-infinity')");
  const rows = await db.many<Fix & { n: number }>(sql`
    select asked.n::int as n, p.latitude, p.longitude, p.radius_m as "radiusM", p.at
    from unnest(${plainArray(asked.map(({ deviceId }) => deviceId))}::uuid[],
      ${plainArray(asked.map((one) => one.notBefore ?? null))}::timestamptz[]) with ordinality as asked (device_id, not_before, n)
    cross join lateral (${cachedPosition(tenant, trusted('asked.device_id'), { accuracy, notBefore })}) p`);
  for (const { n, ...fix } of rows) found[n - 1] = fix;
  return found;
}

/** The unreachable devices among these that a request waits for. */
export const listAwaitedDevices = (db: Db, ecpdId: string, deviceIds: readonly string[]): Promise<string[]> =>
  db.values<string>(sql`
    select distinct device_id as "deviceId" from location_entry
    where ecpd_id = ${ecpdId} and state = 'absent' and device_id = any(${plainArray(deviceIds)}::uuid[])
    order by device_id`);

/** Devices that are due to be located again, by account. A read across profiles that takes no locks. */
export const listLongAbsent = (
  db: Db,
  { now, endedAfter, limit }: { now: Date; endedAfter: Date; limit: number },
) =>
  db.many<Tenant & { deviceIds: string[] }>(sql`
    select due.ecpd_id as "ecpdId", due.account_name as "accountName", array_agg(distinct due.device_id) as "deviceIds"
    from (
      select e.ecpd_id, r.account_name, e.device_id from location_entry e
      join location_request r on r.ecpd_id = e.ecpd_id and r.txid = e.txid
      where e.state = 'absent' and not e.unasked and e.error_at < ${new Date(now.getTime() - HOUR_MS)}
        and (r.ended_at is null or r.ended_at > ${endedAfter}) and (e.error_type = ${ABSENT.type} or ${isDue(now)})
      order by e.error_at limit ${limit}) due
    group by due.ecpd_id, due.account_name`);

/** Records a try that did not locate its devices: they are still unreachable, or consent is missing. */
export async function postponeEntries(
  db: Db,
  { ecpdId }: Tenant,
  entries: readonly Settled[],
): Promise<void> {
  if (entries.length === 0) return;
  const failures = entries.map(({ outcome }) =>
    outcome !== 'withheld' && 'failure' in outcome ? outcome : undefined,
  );
  await db.exec(sql`
    update location_entry e set unasked = f.type is null, error_type = coalesce(f.type, e.error_type), error_info = null,
      error_at = coalesce(f.at, e.error_at)
    from unnest(${plainArray(entries.map(({ txid }) => txid))}::uuid[], ${plainArray(entries.map(({ nth }) => nth))}::int[],
      ${failures.map((one) => one?.failure.type ?? null)}::text[], ${plainArray(failures.map((one) => one?.at ?? null))}::timestamptz[])
      as f (txid, nth, type, at)
    where e.ecpd_id = ${ecpdId} and e.txid = f.txid and e.nth = f.nth and e.state = 'absent' and ${among(entries)}`);
}

/** Devices of an account that lacked consent, each with the accuracies of its requests, in key order. */
export const listUnasked = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { after: string; limit: number },
) =>
  db.many<{ deviceId: string; accuracies: Accuracy[] }>(sql`
    select e.device_id as "deviceId", array_agg(distinct r.accuracy) as accuracies
    from location_entry e
    join location_request r on r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.txid = e.txid
    where e.ecpd_id = ${ecpdId} and e.unasked and e.device_id > ${after}::uuid
    group by e.device_id order by e.device_id limit ${limit}`);

/** Accounts with such devices. A read across profiles that takes no locks. */
export const listAccountsUnasked = (db: Db, after: Tenant | undefined, limit: number) =>
  db.many<Tenant>(sql`
    select r.ecpd_id as "ecpdId", r.account_name as "accountName"
    from location_entry e join location_request r on r.ecpd_id = e.ecpd_id and r.txid = e.txid
    where e.unasked and (r.ecpd_id, r.account_name) > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''})
    group by r.ecpd_id, r.account_name order by r.ecpd_id, r.account_name limit ${limit}`);
