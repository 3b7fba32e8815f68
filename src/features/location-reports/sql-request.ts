import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { AnsweredBy, LocationRequest, RequestStatus } from './location-request.ts';

const COLUMNS = trusted(
  'txid, answered_by as "answeredBy", accuracy, cache_mode as "cacheMode", status, total_count as "totalCount"',
);

interface NewRequest extends LocationRequest {
  /** How old a cached position may be. */
  readonly maxAgeMs: number | undefined;
}

export const insertRequest = (db: Db, { ecpdId, accountName }: Tenant, request: NewRequest, now: Date) =>
  db.exec(sql`
    insert into location_request (ecpd_id, account_name, txid, answered_by, accuracy, cache_mode, max_age_ms, status,
      total_count, created_at, ended_at)
    values (${ecpdId}, ${accountName}, ${request.txid}, ${request.answeredBy}, ${request.accuracy}, ${request.cacheMode},
      ${request.maxAgeMs ?? null}, ${request.status}, ${request.totalCount}, ${now}, ${request.status === 'COMPLETED' ? now : null})`);

/** `endedAfter`: requests that ended before are no longer shown. */
export const findRequest = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { txid, answeredBy, endedAfter }: { txid: string; answeredBy: AnsweredBy; endedAfter: Date },
) =>
  db.maybe<LocationRequest>(sql`
    select ${COLUMNS} from location_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and txid = ${txid} and answered_by = ${answeredBy}
      and (ended_at is null or ended_at > ${endedAfter})`);

/** Stops counting at `max`. */
export const countOpen = (db: Db, { ecpdId, accountName }: Tenant, max: number): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from (
      select 1 from location_request where ecpd_id = ${ecpdId} and account_name = ${accountName} and ended_at is null
      limit ${max}) open`);

/** Undefined if no work is left: the request was cancelled or completed. */
export const startRequest = (db: Db, { ecpdId, accountName }: Tenant, txid: string) =>
  db.maybe<LocationRequest>(sql`
    update location_request set status = 'INPROGRESS'
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and txid = ${txid} and status in ('QUEUED', 'INPROGRESS')
    returning ${COLUMNS}`);

/** Locks the request until the transaction ends, so that its entries and its status change together. */
export const lockOpenRequest = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  txid: string,
): Promise<boolean> =>
  (await db.exec(sql`
    select 1 from location_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and txid = ${txid} and status = 'INPROGRESS'
    for no key update`)) === 1;

/** Locks the requests in key order until the transaction ends, and returns their statuses. */
export const lockStatuses = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  txids: readonly string[],
): Promise<ReadonlyMap<string, RequestStatus>> => {
  const rows = await db.many<{ txid: string; status: RequestStatus }>(sql`
    select txid, status from location_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and txid = any(${plainArray(txids)}::uuid[])
    order by txid for no key update`);
  return new Map(rows.map(({ txid, status }) => [txid, status]));
};

/** False if a worker has started it. */
export const cancelRequest = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  txid: string,
  now: Date,
): Promise<boolean> =>
  (await db.exec(sql`
    update location_request set status = 'CANCELLED', ended_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and txid = ${txid} and status = 'QUEUED'`)) ===
  1;

/** Ends the request if all its devices are settled. True for the caller that ended it, so it is reported once. */
export const completeRequest = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  txid: string,
  now: Date,
): Promise<boolean> =>
  (await db.exec(sql`
    update location_request set status = 'COMPLETED', ended_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and txid = ${txid} and status = 'INPROGRESS'
      and not exists (select 1 from location_entry e where e.ecpd_id = ${ecpdId} and e.txid = ${txid} and e.state = 'waiting')`)) ===
  1;

/** The read across profiles takes no locks; each delete names one profile. Returns the number of deleted requests. */
export async function deleteExpired(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; txids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(txid) as txids from (
      select ecpd_id, txid from location_request where ended_at < ${endedBefore} order by ended_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, txids } of old) {
    // Entries first: if the purge is interrupted, the next one still finds the request.
    await db.exec(
      sql`delete from location_entry where ecpd_id = ${ecpdId} and txid = any(${plainArray(txids)}::uuid[])`,
    );
    deleted += await db.exec(sql`
      delete from location_request where ecpd_id = ${ecpdId} and txid = any(${plainArray(txids)}::uuid[]) and ended_at < ${endedBefore}`);
  }
  return deleted;
}

/** Deletes the next requests of an account with their entries. Locks the requests first, like their workers, which avoids deadlocks. */
export async function deleteEntriesOfAccount(
  db: Db,
  { ecpdId, accountName }: Tenant,
  limit: number,
): Promise<number> {
  const txids = plainArray(
    await db.values<string>(sql`
      select txid from location_request where ecpd_id = ${ecpdId} and account_name = ${accountName}
      order by txid limit ${limit} for update`),
  );
  await db.exec(sql`delete from location_entry where ecpd_id = ${ecpdId} and txid = any(${txids}::uuid[])`);
  return db.exec(sql`
    delete from location_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and txid = any(${txids}::uuid[])`);
}

export const hasOpenLocationRequests = (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (select 1 from location_request
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ended_at is null) as open`);

/** A text that changes when a request ends; undefined if none has ended since. It includes a count, because the clock may stand still. */
export const findEndedLocationMark = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  since: Date,
): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select ended_at::text || ' ' || count(*) as mark from location_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and ended_at >= ${since}
    group by ended_at order by ended_at desc limit 1`);
