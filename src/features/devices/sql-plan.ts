import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { nextId, sql } from '../../platform/db/sql.ts';

export interface PlanChange {
  readonly deviceId: string;
  readonly planCode: string;
  readonly since: Date;
}

export interface ChangedBy {
  /** Why the plan is another one: at activation, by an import, or by a change of plan, whoever asked for it. */
  readonly cause: 'activation' | 'import' | 'change';
  readonly changedBy: string;
  readonly now: Date;
}

/** The plan of now and the history of plans are written by one statement, so that they cannot differ. */
export const updatePlans = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  changes: readonly PlanChange[],
  { cause, changedBy, now }: ChangedBy,
) =>
  db.exec(sql`
    with change as (
      select * from unnest(${plainArray(changes.map(({ deviceId }) => deviceId))}::uuid[],
        ${changes.map(({ planCode }) => planCode)}::text[], ${plainArray(changes.map(({ since }) => since))}::timestamptz[])
        as change (device_id, plan_code, since)),
    written as (
      update device d set service_plan = c.plan_code, plan_since = c.since, last_updated = ${now},
        version = d.version + 1, version_id = ${nextId('d.version_id', now)}
      from change c
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = c.device_id
      returning d.device_id, c.plan_code, c.since)
    insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
    select ${ecpdId}, device_id, since, plan_code, ${cause}, ${now}, ${changedBy} from written`);

/** After devices were merged: those that this import has written and that are on another plan than the last one told. */
export const insertImportedPlans = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
    select d.ecpd_id, d.device_id, d.plan_since, d.service_plan, 'import', ${now}, 'import'
    from staged_device s
    join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id and d.last_updated = ${now}
    where s.ecpd_id = ${ecpdId} and s.body ? 'servicePlan'
      and (s.known_id is null or d.service_plan is distinct from (
        select p.plan_code from device_plan p where p.ecpd_id = ${ecpdId} and p.device_id = d.device_id
        order by p.change_id desc limit 1))`);

/** The changes of plan of one device, the last first. */
export const listPlanChanges = (db: Db, { ecpdId, accountName }: Tenant, deviceId: string, limit: number) =>
  db.many<PlanChange & { cause: ChangedBy['cause']; changedAt: Date; changedBy: string }>(sql`
    select p.device_id as "deviceId", p.plan_code as "planCode", p.since, p.cause, p.changed_at as "changedAt",
      p.changed_by as "changedBy"
    from device_plan p join device d on d.ecpd_id = p.ecpd_id and d.device_id = p.device_id
    where p.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and p.device_id = ${deviceId}
    order by p.change_id desc limit ${limit}`);
