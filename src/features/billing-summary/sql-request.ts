import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { SummaryRequest } from './summary-request.ts';

export const insertRequest = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { requestId, asked }: SummaryRequest,
  now: Date,
) =>
  db.exec(sql`
    insert into billing_request (ecpd_id, account_name, request_id, asked, created_at)
    values (${ecpdId}, ${accountName}, ${requestId}, ${JSON.stringify(asked)}, ${now})`);

/** Stops counting at `max`. */
export const countOpen = (db: Db, { ecpdId, accountName }: Tenant, max: number): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from (
      select 1 from billing_request where ecpd_id = ${ecpdId} and account_name = ${accountName} and ended_at is null
      limit ${max}) open`);

/** Requests that ended before `endedAfter` are no longer returned. */
export const findRequest = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { requestId, endedAfter }: { requestId: string; endedAfter: Date },
) =>
  db.maybe<{ requestId: string; what: 'bill' | 'usage'; ended: boolean; failed: boolean }>(sql`
    select request_id as "requestId", asked->>'what' as what, ended_at is not null as ended, failed from billing_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and request_id = ${requestId}
      and (ended_at is null or ended_at > ${endedAfter})`);

/** Locks the request until the transaction ends. Undefined if it has ended, or its account was deleted. */
export const lockOpenRequest = (db: Db, { ecpdId, accountName }: Tenant, requestId: string) =>
  db.maybe<SummaryRequest>(sql`
    select request_id as "requestId", asked from billing_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and request_id = ${requestId} and ended_at is null
    for no key update`);

export const markFailed = (db: Db, { ecpdId, accountName }: Tenant, requestId: string) =>
  db.exec(sql`
    update billing_request set failed = true
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and request_id = ${requestId} and not failed`);

export const endRequest = (db: Db, { ecpdId, accountName }: Tenant, requestId: string, now: Date) =>
  db.exec(sql`
    update billing_request set ended_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and request_id = ${requestId}`);

/** The query across profiles takes no locks, and each delete names one profile. Returns how many requests were deleted. */
export async function deleteExpired(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(request_id) as ids from (
      select ecpd_id, request_id from billing_request where ended_at < ${endedBefore} order by ended_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old)
    deleted += await db.exec(sql`
      delete from billing_request
      where ecpd_id = ${ecpdId} and request_id = any(${plainArray(ids)}::uuid[]) and ended_at < ${endedBefore}`);
  return deleted;
}
