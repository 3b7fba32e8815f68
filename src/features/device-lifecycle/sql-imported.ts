import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/** After devices were merged: suspensions of those that are no longer suspended end. */
export const endImported = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    update device_suspension u set resumed_at = ${now}
    from staged_device s join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id and d.state <> 'suspend'
    where s.ecpd_id = ${ecpdId} and u.ecpd_id = ${ecpdId} and u.device_id = s.device_id and u.resumed_at is null`);

/** Those that are suspended now and were not get one; answers the accounts that have such. */
export const beginImported = async (
  db: Db,
  ecpdId: string,
  { now, resumesAt, noticeAt }: { now: Date; resumesAt: Date; noticeAt: Date },
): Promise<readonly string[]> =>
  (
    await db.many<{ accountName: string }>(sql`
      with begun as (
        insert into device_suspension (ecpd_id, device_id, account_name, suspended_at, resumes_at, notice_at, with_billing,
          resumes_to, reason)
        select d.ecpd_id, d.device_id, d.account_name, ${now}, ${resumesAt}, ${noticeAt}, false,
          coalesce(c.old_state, 'active'), 'operator'
        from staged_device s
        join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id and d.state = 'suspend'
        left join staged_change c on c.ecpd_id = ${ecpdId} and c.device_id = s.device_id and c.old_state <> 'suspend'
        where s.ecpd_id = ${ecpdId} and not exists (
          select from device_suspension u
          where u.ecpd_id = ${ecpdId} and u.device_id = d.device_id and u.resumed_at is null)
        returning account_name)
      select distinct account_name as "accountName" from begun`)
  ).map(({ accountName }) => accountName);
