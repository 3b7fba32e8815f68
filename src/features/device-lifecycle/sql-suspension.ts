import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Suspension } from './suspension.ts';

export interface KeptSuspension extends Suspension {
  readonly deviceId: string;
  readonly resumesAt: Date;
}

/** Of each device what reaches beyond `since`, in the order of time. */
export async function listSuspensions(
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, readonly KeptSuspension[]>> {
  const rows = await db.many<KeptSuspension>(sql`
    select device_id as "deviceId", suspended_at as "suspendedAt", resumes_at as "resumesAt", resumed_at as "resumedAt"
    from device_suspension
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and (resumed_at is null or resumed_at > ${since})
    order by device_id, suspension_id`);
  return Map.groupBy(rows, ({ deviceId }) => deviceId);
}

export interface NewSuspension {
  readonly deviceId: string;
  readonly resumesAt: Date;
  readonly noticeAt: Date;
  readonly noticedAt: Date | null;
  readonly withBilling: boolean;
}

export const insertSuspensions = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  suspensions: readonly NewSuspension[],
  { now, reason, requestId }: { now: Date; reason: string; requestId: string | null },
) =>
  db.exec(sql`
    insert into device_suspension (ecpd_id, device_id, account_name, suspended_at, resumes_at, notice_at, noticed_at,
      with_billing, reason, request_id)
    select ${ecpdId}, new.device_id, ${accountName}, ${now}, new.resumes_at, new.notice_at, new.noticed_at,
      new.with_billing, ${reason}, ${requestId}
    from unnest(${plainArray(suspensions.map((each) => each.deviceId))}::uuid[],
      ${plainArray(suspensions.map((each) => each.resumesAt))}::timestamptz[],
      ${plainArray(suspensions.map((each) => each.noticeAt))}::timestamptz[],
      ${plainArray(suspensions.map((each) => each.noticedAt))}::timestamptz[],
      ${suspensions.map((each) => each.withBilling)}::boolean[])
      as new (device_id, resumes_at, notice_at, noticed_at, with_billing)`);

/** Ends what the devices have open, whatever its end would have been. */
export const endSuspensions = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  now: Date,
) =>
  db.exec(sql`
    update device_suspension set resumed_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and resumed_at is null`);

/** Devices that return to active by now; the caller locks them, and asks again. */
export const listDueDevices = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  now: Date,
  limit: number,
): Promise<readonly string[]> =>
  (
    await db.many<{ deviceId: string }>(sql`
      select device_id as "deviceId" from device_suspension
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and resumed_at is null and resumes_at <= ${now}
      order by resumes_at limit ${limit}`)
  ).map(({ deviceId }) => deviceId);

export interface EndedSuspension {
  readonly deviceId: string;
  readonly requestId: string | null;
}

/** Those that are still due when their devices are locked. */
export const endDueSuspensions = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  now: Date,
) =>
  db.many<EndedSuspension>(sql`
    update device_suspension set resumed_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and resumed_at is null and resumes_at <= ${now}
    returning device_id as "deviceId", request_id as "requestId"`);

export interface NoticedSuspension extends EndedSuspension {
  readonly resumesAt: Date;
}

export const listNoticeDevices = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  now: Date,
  limit: number,
): Promise<readonly string[]> =>
  (
    await db.many<{ deviceId: string }>(sql`
      select device_id as "deviceId" from device_suspension
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and resumed_at is null and noticed_at is null
        and notice_at <= ${now}
      order by notice_at limit ${limit}`)
  ).map(({ deviceId }) => deviceId);

/** True to its word only once: whoever marks a suspension announces its end. */
export const markNoticed = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  now: Date,
) =>
  db.many<NoticedSuspension>(sql`
    update device_suspension set noticed_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and resumed_at is null and noticed_at is null and notice_at <= ${now}
    returning device_id as "deviceId", request_id as "requestId", resumes_at as "resumesAt"`);
