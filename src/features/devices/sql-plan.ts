import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../platform/db/sql.ts';
import { changeDevices } from './sql-record.ts';

interface PlanChange {
  readonly deviceId: string;
  readonly planCode: string;
  /** May lie in the past; defaults to the time of the change. */
  readonly since?: Date | undefined;
}

interface ChangedBy {
  /** Why the plan changed: an activation, an import, a move of the line, or a plan change by anyone. */
  readonly cause: 'activation' | 'import' | 'change' | 'move';
  readonly changedBy: string;
}

/**
 * Puts devices of an account on plans. Call it in the transaction that has locked them. One statement writes the
 * present plan, the plan history and the audit log, so that they cannot differ.
 */
export async function setPlans(
  ctx: Ctx,
  tenant: Tenant,
  changes: readonly PlanChange[],
  { cause, changedBy }: ChangedBy,
): Promise<void> {
  if (changes.length === 0) return;
  await changeDevices(ctx, tenant, {
    action: 'changeServicePlan',
    audited: { servicePlan: 'service_plan', planSince: 'plan_since' },
    from: sql`unnest(${plainArray(changes.map(({ deviceId }) => deviceId))}::uuid[],
      ${changes.map(({ planCode }) => planCode)}::text[], ${plainArray(changes.map(({ since }) => since ?? null))}::timestamptz[])
      as c (device_id, plan_code, since)`,
    set: (at) => sql`service_plan = c.plan_code, plan_since = coalesce(c.since, ${at})`,
    also: (at) => sql`,
      planned as materialized (
      select nextval('device_plan_change_id_seq') as change_id, device_id, plan_since, service_plan from written),
      history as (
      insert into device_plan (ecpd_id, change_id, device_id, since, plan_code, cause, changed_at, changed_by)
      overriding system value
      select p.ecpd_id, n.change_id, n.device_id, n.plan_since, n.service_plan, ${cause}, ${at}, ${changedBy}
      from planned n join profile p on p.ecpd_id = ${tenant.ecpdId})`,
  });
}

/**
 * For the statement that merges devices: adds history for each `written` device whose plan differs from the last stored
 * one. A device without an old version has none. A separate part finds these devices: on a cluster, rows selected in
 * the insert may be numbered where the tables are, and each server would count for itself.
 */
export const importedPlans = (ecpdId: string, at: Date) => sql`
    planned as materialized (
    select w.device_id, w.plan_since, w.service_plan from written w join merged m on m.device_id = w.device_id
    where w.service_plan is not null and (m.old_version is null or w.service_plan is distinct from (
      select p.plan_code from device_plan p where p.ecpd_id = ${ecpdId} and p.device_id = w.device_id
      order by p.change_id desc limit 1))),
    history as (
    insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
    select ${ecpdId}, device_id, plan_since, service_plan, 'import', ${at}, 'import' from planned)`;

/**
 * How often the plan of each device was changed since a time. Imports, activations, and changes in an earlier account
 * do not count. Devices without a change are missing from the result.
 */
export const countPlanChanges = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  from: Date,
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (
      await db.many<{ deviceId: string; count: number }>(sql`
        select p.device_id as "deviceId", count(*)::int as count
        from device_plan p join device d on d.ecpd_id = p.ecpd_id and d.device_id = p.device_id
        where p.ecpd_id = ${ecpdId} and p.device_id = any(${plainArray(deviceIds)}::uuid[])
          and d.account_name = ${accountName} and p.cause = 'change' and p.changed_at >= ${from}
        group by p.device_id`)
    ).map(({ deviceId, count }) => [deviceId, count]),
  );

/**
 * When lines came to the account, for those that moved there or were added by an activation. Imported lines existed
 * before: a document does not say since when.
 */
export const listArrivals = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> =>
  new Map(
    (
      await db.many<{ deviceId: string; arrivedAt: Date }>(sql`
        select d.device_id as "deviceId", coalesce(d.came_at, d.created_on) as "arrivedAt"
        from device d
        left join lateral (
          select p.cause from device_plan p where p.ecpd_id = ${ecpdId} and p.device_id = d.device_id
          order by p.change_id limit 1) first on true
        where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
          and d.device_id = any(${plainArray(deviceIds)}::uuid[]) and (d.came_at is not null or first.cause = 'activation')`)
    ).map(({ deviceId, arrivedAt }) => [deviceId, arrivedAt]),
  );

/** A device at a point in time. */
interface DeviceMoment {
  readonly deviceId: string;
  readonly atMs: number;
}

/** The plans that devices of a profile had at points in time; `nth` counts from 0. Times before the first plan have none. */
export const listPlansAt = (db: Db, ecpdId: string, moments: readonly DeviceMoment[]) =>
  db.many<{ nth: number; planCode: string }>(sql`
    select given.nth::int - 1 as nth, p.plan_code as "planCode"
    from unnest(${plainArray(moments.map(({ deviceId }) => deviceId))}::uuid[],
      ${plainArray(moments.map(({ atMs }) => atMs))}::bigint[]) with ordinality as given (device_id, at_ms, nth)
    cross join lateral (
      select plan_code from device_plan p
      where p.ecpd_id = ${ecpdId} and p.device_id = given.device_id
        and p.since <= 'epoch'::timestamptz + given.at_ms * interval '1 millisecond'
      order by p.change_id desc limit 1) p`);

/** Counts of lines stop above this. */
export const LINES_COUNTED = 100_000;

const counted = (db: Db, lines: Query): Promise<number> =>
  db.value<number>(
    unprepared(sql`select count(*)::int as count from (${lines} limit ${LINES_COUNTED + 1}) d`),
  );

export const countDevicesOfProfile = (db: Db, ecpdId: string): Promise<number> =>
  counted(db, sql`select 1 from device where ecpd_id = ${ecpdId}`);

/** In any state. The query across profiles takes no locks. */
export const countDevicesOnPlan = (db: Db, planCode: string): Promise<number> =>
  counted(db, sql`select 1 from device where service_plan = ${planCode}`);

/** Lines of the accounts of a rate plan group that are on one of its plans. */
export const countDevicesInGroup = (
  db: Db,
  { ecpdId, ratePlanGroupId }: { readonly ecpdId: string; readonly ratePlanGroupId: number },
): Promise<number> =>
  counted(
    db,
    sql`
    select 1 from device d
    join rate_plan_group_account a on a.ecpd_id = ${ecpdId} and a.rate_plan_group_id = ${ratePlanGroupId}
      and a.account_name = d.account_name
    join rate_plan_group_plan p on p.ecpd_id = ${ecpdId} and p.rate_plan_group_id = ${ratePlanGroupId}
      and p.plan_code = d.service_plan
    where d.ecpd_id = ${ecpdId}`,
  );
