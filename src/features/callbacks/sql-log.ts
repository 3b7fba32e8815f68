import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { joinSql, sql } from '../../platform/db/sql.ts';
import type { RestsOn } from './delivery/withhold-payloads.ts';

export interface DeliveryFilter {
  readonly ecpdId?: string | undefined;
  readonly accountName?: string | undefined;
  readonly requestId?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly state?: string | undefined;
  readonly limit: number;
}

export interface Delivery extends Tenant {
  readonly id: string;
  readonly requestId: string;
  readonly serviceName: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly payload: unknown;
  readonly restsOn: RestsOn | null;
  readonly attempts: {
    readonly at: string;
    readonly series: number;
    readonly attempt: number;
    readonly status: number | null;
    readonly latencyMs: number;
    readonly error: string | null;
    readonly body: string;
  }[];
}

/** Newest first, with every attempt. The state is not stored but follows from what waits and what was acknowledged. */
export const listDeliveries = (
  db: Db,
  { ecpdId, accountName, requestId, serviceName, state, limit }: DeliveryFilter,
) =>
  db.many<Delivery>(sql`
    select m.ecpd_id as "ecpdId", m.message_id as id, m.request_id as "requestId", m.account_name as "accountName",
      m.service_name as "serviceName", m.created_at as "createdAt", p.due_at as "nextAttemptAt", m.payload::json as payload,
      m.rests_on as "restsOn",
      s.state, coalesce(a.attempts, '[]') as attempts
    from callback_message m
    left join callback_pending p on p.ecpd_id = m.ecpd_id and p.message_id = m.message_id
    left join lateral (
      select json_agg(json_build_object('at', t.at, 'series', t.series, 'attempt', t.attempt, 'status', t.status,
               'latencyMs', t.latency_ms, 'error', t.error, 'body', t.answer) order by t.series, t.attempt) as attempts,
             bool_or(t.status between 200 and 299) as acknowledged
      from callback_attempt t where t.ecpd_id = m.ecpd_id and t.message_id = m.message_id) a on true
    cross join lateral (
      select case when p.message_id is not null then 'pending' when a.acknowledged then 'delivered' else 'failed' end as state) s
    where ${joinSql(
      [
        sql`true`,
        ...(ecpdId === undefined ? [] : [sql`m.ecpd_id = ${ecpdId}`]),
        ...(accountName === undefined ? [] : [sql`m.account_name = ${accountName}`]),
        ...(requestId === undefined ? [] : [sql`m.request_id = ${requestId}`]),
        ...(serviceName === undefined ? [] : [sql`m.service_name = ${serviceName}`]),
        ...(state === undefined ? [] : [sql`s.state = ${state}`]),
      ],
      ' and ',
    )}
    order by m.created_at desc, m.message_id desc limit ${limit}`);

/** Delivered messages older than `deliveredBefore` and failed ones older than `failedBefore`; what waits stays. */
export async function deleteOldMessages(
  db: Db,
  { deliveredBefore, failedBefore, limit }: { deliveredBefore: Date; failedBefore: Date; limit: number },
): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(message_id) as ids from (
      select m.ecpd_id, m.message_id from callback_message m
      where m.created_at < greatest(${deliveredBefore}::timestamptz, ${failedBefore}::timestamptz)
        and not exists (select from callback_pending p where p.ecpd_id = m.ecpd_id and p.message_id = m.message_id)
        and case when exists (select from callback_attempt a where a.ecpd_id = m.ecpd_id and a.message_id = m.message_id
                              and a.status between 200 and 299)
            then coalesce((select max(a.at) from callback_attempt a where a.ecpd_id = m.ecpd_id and a.message_id = m.message_id), m.created_at) < ${deliveredBefore}
            else coalesce((select max(a.at) from callback_attempt a where a.ecpd_id = m.ecpd_id and a.message_id = m.message_id), m.created_at) < ${failedBefore} end
      order by m.created_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, ids } of old) {
    await db.exec(
      sql`delete from callback_attempt where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])`,
    );
    deleted += await db.exec(
      sql`delete from callback_message where ecpd_id = ${ecpdId} and message_id = any(${ids}::uuid[])`,
    );
  }
  return deleted;
}
