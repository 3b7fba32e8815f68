import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';

interface KeptPlan {
  readonly planCode: string;
  readonly since: Date;
  readonly cause: string;
  readonly changedBy: string;
  /** A later change starts at the same time or earlier, so this one no longer counts. */
  readonly overwritten: boolean;
}

/** The plan changes of one device in its account, the last first. */
export const listPlanChanges = (db: Db, { ecpdId, accountName }: Tenant, deviceId: string) =>
  db.many<KeptPlan>(sql`
    select p.plan_code as "planCode", p.since, p.cause, p.changed_by as "changedBy", exists (
      select 1 from device_plan o where o.ecpd_id = ${ecpdId} and o.device_id = ${deviceId} and o.change_id > p.change_id
        and o.since <= p.since) as overwritten
    from device_plan p join device d on d.ecpd_id = p.ecpd_id and d.device_id = p.device_id
    where p.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and p.device_id = ${deviceId}
      and (d.came_at is null or p.changed_at >= d.came_at)
    order by p.change_id desc`);
