import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import type { DeviceState, Move } from '../devices/index.ts';
import type { Suspension } from './suspension.ts';

interface KeptSuspension extends Suspension {
  readonly deviceId: string;
  readonly resumesAt: Date;
}

/** The suspensions of each device that reach beyond `since`, in whichever account of the profile, in the order of time. */
export async function listSuspensions(
  db: Db,
  { ecpdId }: Tenant,
  deviceIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, readonly KeptSuspension[]>> {
  const rows = await db.many<KeptSuspension>(sql`
    select device_id as "deviceId", suspended_at as "suspendedAt", resumes_at as "resumesAt", resumed_at as "resumedAt"
    from device_suspension
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
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
  /** The state that the device had before. */
  readonly resumesTo: DeviceState;
}

export const insertSuspensions = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  suspensions: readonly NewSuspension[],
  { now, reason, requestId }: { now: Date; reason: string; requestId: string | null },
) =>
  db.exec(sql`
    with new as materialized (
      select nextval('device_suspension_suspension_id_seq') as suspension_id, s.*
      from unnest(${plainArray(suspensions.map((each) => each.deviceId))}::uuid[],
        ${plainArray(suspensions.map((each) => each.resumesAt))}::timestamptz[],
        ${plainArray(suspensions.map((each) => each.noticeAt))}::timestamptz[],
        ${plainArray(suspensions.map((each) => each.noticedAt))}::timestamptz[],
        ${suspensions.map((each) => each.withBilling)}::boolean[], ${suspensions.map((each) => each.resumesTo)}::text[])
        as s (device_id, resumes_at, notice_at, noticed_at, with_billing, resumes_to)),
    begun as (
      insert into device_suspension (ecpd_id, suspension_id, device_id, account_name, suspended_at, resumes_at, notice_at,
        noticed_at, with_billing, resumes_to, reason, request_id)
      overriding system value
      select p.ecpd_id, new.suspension_id, new.device_id, ${accountName}, ${now}, new.resumes_at, new.notice_at,
        new.noticed_at, new.with_billing, new.resumes_to, ${reason}, ${requestId}
      from new join profile p on p.ecpd_id = ${ecpdId})
    select 1`);

export interface EndedSuspension {
  readonly deviceId: string;
  readonly requestId: string | null;
  readonly resumesTo: DeviceState;
}
const ENDED = trusted('device_id as "deviceId", request_id as "requestId", resumes_to as "resumesTo"');

/** Conditions for what is due: the end of a suspension, and its announcement, which happens once. */
const DUE = {
  end: (now: Date) => sql`resumes_at <= ${now}`,
  notice: (now: Date) => sql`noticed_at is null and notice_at <= ${now}`,
};

/** Ends the open suspensions of devices: all of them, or only those that are due. */
export const endSuspensions = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  { now, onlyDue = false }: { readonly now: Date; readonly onlyDue?: boolean },
) =>
  db.many<EndedSuspension>(sql`
    update device_suspension set resumed_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and resumed_at is null and ${onlyDue ? DUE.end(now) : sql`true`}
    returning ${ENDED}`);

/** Moves the open suspensions of devices to another account, which will end them. Returns when their events are due. */
export const moveSuspensions = (db: Db, { from, to, deviceIds }: Move) =>
  db.many<{ noticeAt: Date; resumesAt: Date }>(sql`
    update device_suspension set account_name = ${to.accountName}, request_id = null
    where ecpd_id = ${from.ecpdId} and account_name = ${from.accountName}
      and device_id = any(${plainArray(deviceIds)}::uuid[]) and resumed_at is null
    returning notice_at as "noticeAt", resumes_at as "resumesAt"`);

export interface DueDevice {
  readonly deviceId: string;
  readonly resumesTo: DeviceState;
}

/** Devices with something due, in the order of their ids. The caller locks them, and checks again. */
export const listDueDevices = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  what: keyof typeof DUE,
  { now, after, limit }: { readonly now: Date; readonly after: string; readonly limit: number },
) =>
  db.many<DueDevice>(sql`
    select device_id as "deviceId", resumes_to as "resumesTo" from device_suspension
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and resumed_at is null and ${DUE[what](now)}
      and device_id > ${after}
    order by device_id limit ${limit}`);

/** Marks due suspensions as announced. The caller announces those that it returns. */
export const markNoticed = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  now: Date,
) =>
  db.many<{ readonly deviceId: string; readonly requestId: string | null; readonly resumesAt: Date }>(sql`
    update device_suspension set noticed_at = ${now}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and resumed_at is null and ${DUE.notice(now)}
    returning device_id as "deviceId", request_id as "requestId", resumes_at as "resumesAt"`);

export interface OverdueAccount {
  readonly ecpdId: string;
  readonly accountName: string;
}

/** Covers all profiles, without a lock. The cost depends on the number of accounts, not of suspensions. */
export const listOverdueAccounts = (
  db: Db,
  now: Date,
  { after, limit }: { after: OverdueAccount | undefined; limit: number },
) =>
  db.many<OverdueAccount>(sql`
    select a.ecpd_id as "ecpdId", a.account_name as "accountName" from account a
    where (a.ecpd_id, a.account_name) > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''})
      and (exists (select 1 from device_suspension u where u.ecpd_id = a.ecpd_id and u.account_name = a.account_name
                     and u.resumed_at is null and u.resumes_at <= ${now})
        or exists (select 1 from device_suspension u where u.ecpd_id = a.ecpd_id and u.account_name = a.account_name
                     and u.resumed_at is null and u.noticed_at is null and u.notice_at <= ${now}))
    order by a.ecpd_id, a.account_name limit ${limit}`);

/** Suspensions of one device, the last first. */
export const listSuspensionsOfDevice = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
  limit: number,
) =>
  db.many<{
    readonly suspendedAt: Date;
    readonly resumesAt: Date;
    readonly resumedAt: Date | null;
    readonly withBilling: boolean;
    readonly reason: string;
  }>(sql`
    select suspended_at as "suspendedAt", resumes_at as "resumesAt", resumed_at as "resumedAt",
      with_billing as "withBilling", reason
    from device_suspension
    where ecpd_id = ${ecpdId} and device_id = ${deviceId} and account_name = ${accountName}
    order by suspension_id desc limit ${limit}`);

export async function deleteEndedSuspensions(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; deviceIds: string[]; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(device_id) as "deviceIds", array_agg(suspension_id::text) as ids from (
      select ecpd_id, device_id, suspension_id from device_suspension where resumed_at < ${endedBefore}
      order by resumed_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, deviceIds, ids } of old)
    deleted += await db.exec(sql`
      delete from device_suspension s
      using unnest(${plainArray(deviceIds)}::uuid[], ${plainArray(ids)}::bigint[]) as old (device_id, suspension_id)
      where s.ecpd_id = ${ecpdId} and s.device_id = old.device_id and s.suspension_id = old.suspension_id
        and s.resumed_at < ${endedBefore}`);
  return deleted;
}

/** After devices were merged: ends the suspensions of those that are no longer suspended. */
export const endImported = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with staged as materialized (select device_id from staged_device where ecpd_id = ${ecpdId})
    update device_suspension u set resumed_at = ${now}
    from staged s join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id and d.state <> 'suspend'
    where u.ecpd_id = ${ecpdId} and u.device_id = s.device_id and u.resumed_at is null`);

/** Starts suspensions for devices that are newly suspended. Returns their accounts. */
export const beginImported = (
  db: Db,
  ecpdId: string,
  { now, resumesAt, noticeAt }: { now: Date; resumesAt: Date; noticeAt: Date },
): Promise<readonly string[]> =>
  db.values<string>(sql`
    with staged as materialized (select device_id from staged_device where ecpd_id = ${ecpdId}),
    changed as materialized (
      select device_id, old_state from staged_change where ecpd_id = ${ecpdId} and old_state <> 'suspend'),
    suspended as materialized (
      select d.device_id, d.account_name, coalesce(c.old_state, 'active') as resumes_to
      from staged s
      join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id and d.state = 'suspend'
      left join changed c on c.device_id = s.device_id
      where not exists (
        select 1 from device_suspension u
        where u.ecpd_id = ${ecpdId} and u.device_id = d.device_id and u.resumed_at is null)),
    begun as (
      insert into device_suspension (ecpd_id, device_id, account_name, suspended_at, resumes_at, notice_at, with_billing,
        resumes_to, reason)
      select ${ecpdId}, device_id, account_name, ${now}, ${resumesAt}, ${noticeAt}, false, resumes_to, 'operator'
      from suspended returning account_name)
    select distinct account_name as "accountName" from begun`);
