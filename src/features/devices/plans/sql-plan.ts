import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { changeDevices } from '../sql-record.ts';

export interface PlanChange {
  readonly deviceId: string;
  readonly planCode: string;
  /** May lie in the past; the moment of the change when absent. */
  readonly since?: Date | undefined;
}

export interface ChangedBy {
  /** Why the plan is another one: at activation, by an import, with a move of the line, or by a change of plan, whoever asked for it. */
  readonly cause: 'activation' | 'import' | 'change' | 'move';
  readonly changedBy: string;
}

/** The plan of now, the history of plans and the audit log are written by one statement, so that they cannot differ. */
export const updatePlans = (
  ctx: Ctx,
  tenant: Tenant,
  changes: readonly PlanChange[],
  { cause, changedBy }: ChangedBy,
) =>
  changeDevices(ctx, tenant, {
    action: 'changeServicePlan',
    told: { servicePlan: 'service_plan', planSince: 'plan_since' },
    from: sql`unnest(${plainArray(changes.map(({ deviceId }) => deviceId))}::uuid[],
      ${changes.map(({ planCode }) => planCode)}::text[], ${plainArray(changes.map(({ since }) => since ?? null))}::timestamptz[])
      as c (device_id, plan_code, since)`,
    set: (at) => sql`service_plan = c.plan_code, plan_since = coalesce(c.since, ${at})`,
    also: (at) => sql`, history as (
      insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
      select ${tenant.ecpdId}, device_id, plan_since, service_plan, ${cause}, ${at}, ${changedBy} from written)`,
  });

/**
 * In the statement that merges devices: those that it has `written` and that are on another plan than the last one told. Of
 * a device that has no old version none was told.
 */
export const importedPlans = (ecpdId: string, at: Date) => sql`
    history as (
    insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
    select ${ecpdId}, w.device_id, w.plan_since, w.service_plan, 'import', ${at}, 'import'
    from written w join merged m on m.device_id = w.device_id
    where w.service_plan is not null and (m.old_version is null or w.service_plan is distinct from (
      select p.plan_code from device_plan p where p.ecpd_id = ${ecpdId} and p.device_id = w.device_id
      order by p.change_id desc limit 1)))`;

export interface ToldPlan extends PlanChange, ChangedBy {
  readonly since: Date;
  readonly changedAt: Date;
  /** A later change begins no later: the device was never on it, as things are now. */
  readonly overwritten: boolean;
}

/** The changes of plan of one device, the last first. */
export const listPlanChanges = (db: Db, { ecpdId, accountName }: Tenant, deviceId: string, limit: number) =>
  db.many<ToldPlan>(sql`
    select p.device_id as "deviceId", p.plan_code as "planCode", p.since, p.cause, p.changed_at as "changedAt",
      p.changed_by as "changedBy", exists (
        select from device_plan o where o.ecpd_id = ${ecpdId} and o.device_id = ${deviceId} and o.change_id > p.change_id
          and o.since <= p.since) as overwritten
    from device_plan p join device d on d.ecpd_id = p.ecpd_id and d.device_id = p.device_id
    where p.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and p.device_id = ${deviceId}
      and (d.came_at is null or p.changed_at >= d.came_at)
    order by p.change_id desc limit ${limit}`);
