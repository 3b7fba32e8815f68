import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../platform/db/newest-first.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { CarrierRequest } from './carrier-operation.ts';

const COLUMNS =
  trusted(`request_id as "requestId", operation, status, device_count as "deviceCount", succeeded, failed, held,
  body, created_at as "createdAt", created_by as "createdBy", created_by_kind as "createdByKind"`);

export const insertRequest = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  request: Omit<CarrierRequest, 'status' | 'succeeded' | 'failed' | 'held' | 'createdAt'>,
  now: Date,
) =>
  db.exec(sql`
    insert into carrier_request (ecpd_id, account_name, request_id, operation, status, device_count, body, created_at,
      created_by, created_by_kind)
    values (${ecpdId}, ${accountName}, ${request.requestId}, ${request.operation}, 'Pending', ${request.deviceCount},
      ${JSON.stringify(request.body)}::jsonb, ${now}, ${request.createdBy}, ${request.createdByKind})`);

/**
 * Counts the requests of callers that still have devices to work on, up to `max`. Those that only wait for the network are
 * left out: there, one element that is silent or paused would use up the account's places. A new change of a line replaces
 * the one that waits, so their number is limited by the number of lines.
 */
export const countOpen = (db: Db, { ecpdId, accountName }: Tenant, max: number): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from (
      select 1 from carrier_request
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ended_at is null and created_by_kind = 'user'
        and succeeded + failed + held < device_count
      limit ${max}) open`);

/** Requests that ended before `endedAfter` are no longer returned. */
export const findRequest = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { requestId, endedAfter }: { requestId: string; endedAfter: Date },
) =>
  db.maybe<CarrierRequest>(sql`
    select ${COLUMNS} from carrier_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and request_id = ${requestId}
      and (ended_at is null or ended_at > ${endedAfter})`);

/** A request that includes the device, and its result for it. */
interface RequestOfDevice {
  readonly requestId: string;
  readonly operation: string;
  readonly state: 'waiting' | 'done' | 'failed';
  readonly reason: string | null;
  readonly deviceCount: number;
  readonly ids: readonly { readonly id: string; readonly kind: string }[];
  readonly createdAt: Date;
  readonly createdBy: string;
}

/** Newest first. Requests are kept for a while after their end. */
export const listRequestsOfDevice = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
  page: NewestFirst,
) =>
  db.many<RequestOfDevice>(sql`
    select r.request_id as "requestId", r.operation, d.fault_text as reason, r.device_count as "deviceCount", d.ids,
      r.created_at as "createdAt", r.created_by as "createdBy",
      case when d.held or d.nth >= r.succeeded + r.failed + r.held then 'waiting' when d.fault_code is null then 'done' else 'failed' end as state
    from carrier_request_device d
    join carrier_request r on r.ecpd_id = d.ecpd_id and r.request_id = d.request_id
    where d.ecpd_id = ${ecpdId} and d.device_id = ${deviceId} and r.account_name = ${accountName}
      and ${isOlder(sql`r.created_at`, sql`r.request_id::text`, page)}
    order by r.created_at desc, r.request_id::text collate "C" desc limit ${page.limit}`);

/**
 * Call it before you lock devices or write messages, which refer to the account by its name alone. The deletion of an
 * account also locks the account first.
 */
export const lockAccountOfDevices = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = ${accountName} for key share`);

const openRequest = ({ ecpdId, accountName }: Tenant, requestId: string) => sql`
    select ${COLUMNS} from carrier_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and request_id = ${requestId} and status = 'Pending'`;

/** Reads what the request asks for, which never changes. Takes no lock. */
export const findOpenRequest = (db: Db, tenant: Tenant, requestId: string) =>
  db.maybe<CarrierRequest>(openRequest(tenant, requestId));

/**
 * Locks the request until the transaction ends, so that two workers never work on the same devices. Undefined if
 * nothing is left to do.
 */
export async function lockOpenRequest(
  db: Db,
  tenant: Tenant,
  requestId: string,
): Promise<CarrierRequest | undefined> {
  await lockAccountOfDevices(db, tenant);
  return db.maybe<CarrierRequest>(sql`${openRequest(tenant, requestId)} for no key update`);
}

/** Adds the settled and the held devices to the counts; the last device ends the request. Returns whether it has ended. */
export const countSettled = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  requestId: string,
  { succeeded, failed, held, now }: { succeeded: number; failed: number; held: number; now: Date },
): Promise<boolean> =>
  db.value<boolean>(sql`
      update carrier_request r set succeeded = n.succeeded, failed = n.failed, held = r.held + ${held}::int,
        status = case when n.succeeded + n.failed < n.device_count then 'Pending' when n.failed > 0 then 'Failure'
                      else 'Success' end,
        ended_at = case when n.succeeded + n.failed < n.device_count then null else ${now}::timestamptz end
      from (select ecpd_id, request_id, device_count, succeeded + ${succeeded}::int as succeeded,
              failed + ${failed}::int as failed
            from carrier_request
            where ecpd_id = ${ecpdId} and account_name = ${accountName} and request_id = ${requestId}) n
      where r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.request_id = ${requestId}
      returning r.ended_at is not null as ended`);

/** The query across profiles takes no locks, and each delete names one profile. Returns how many requests were deleted. */
export async function deleteExpired(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(request_id) as ids from (
      select ecpd_id, request_id from carrier_request where ended_at < ${endedBefore} order by ended_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old) {
    // Device rows first: after an interruption the request still exists and is found again.
    await db.exec(
      sql`delete from carrier_request_device where ecpd_id = ${ecpdId} and request_id = any(${plainArray(ids)}::uuid[])`,
    );
    deleted += await db.exec(sql`
      delete from carrier_request where ecpd_id = ${ecpdId} and request_id = any(${plainArray(ids)}::uuid[])
        and ended_at < ${endedBefore}`);
  }
  return deleted;
}

/** Deletes the next requests of an account with their devices. Locks the requests first, as their workers do, which avoids deadlocks. */
export async function deleteRequestsOfAccount(
  db: Db,
  { ecpdId, accountName }: Tenant,
  limit: number,
): Promise<number> {
  const ids = plainArray(
    await db.values<string>(sql`
      select request_id as "requestId" from carrier_request where ecpd_id = ${ecpdId} and account_name = ${accountName}
      order by request_id limit ${limit} for update`),
  );
  await db.exec(
    sql`delete from carrier_request_device where ecpd_id = ${ecpdId} and request_id = any(${ids}::uuid[])`,
  );
  return db.exec(
    sql`delete from carrier_request where ecpd_id = ${ecpdId} and request_id = any(${ids}::uuid[])`,
  );
}

export const hasOpenRequests = (db: Db, { ecpdId, accountName }: Tenant): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (select 1 from carrier_request
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ended_at is null) as open`);

/**
 * A text that changes whenever a request ends; undefined if none has ended since then. It contains a count because the
 * clock may stand still.
 */
export const findEndedMark = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  since: Date,
): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select ended_at::text || ' ' || count(*) as mark from carrier_request
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and ended_at >= ${since}
    group by ended_at order by ended_at desc limit 1`);
