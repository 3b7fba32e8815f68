import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../platform/db/newest-first.ts';
import { joinSql, sql, trusted } from '../../platform/db/sql.ts';

interface AlertMoment {
  readonly key: string;
  readonly at: Date;
  readonly happened: 'raised' | 'cleared' | 'acknowledged';
  readonly ruleName: string;
  readonly message: string;
  /** The user who acknowledged it. */
  readonly by: string | null;
  readonly reason: string | null;
}

const MOMENTS = [
  { happened: 'raised', at: 'raised_at', by: 'null::text', reason: 'null::text' },
  { happened: 'cleared', at: 'cleared_at', by: 'null::text', reason: 'cleared_because' },
  { happened: 'acknowledged', at: 'acknowledged_at', by: 'acknowledged_by', reason: 'null::text' },
].map((moment) => ({
  at: trusted(moment.at),
  key: trusted(`alert_id::text || ' ${moment.happened}'`),
  rest: trusted(`'${moment.happened}' as happened, ${moment.by} as by, ${moment.reason} as reason`),
}));

/** When alerts of a device were raised, cleared and acknowledged, newest first. */
export const listAlertMoments = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceId: string,
  page: NewestFirst,
) => {
  const parts = MOMENTS.map(
    ({ at, key, rest }) => sql`
      (select ${key} as key, ${at} as at, ${rest}, rule_name as "ruleName", left(message, 300) as message from smart_alert
       where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = ${deviceId} and ${isOlder(at, key, page)}
       order by ${at} desc, ${key} collate "C" desc limit ${page.limit})`,
  );
  return db.many<AlertMoment>(sql`
    select * from (${joinSql(parts, ' union all ')}) moments
    order by at desc, key collate "C" desc limit ${page.limit}`);
};
