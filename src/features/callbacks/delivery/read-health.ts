import { type Static, Type } from 'typebox';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { LISTENER_SERVICES } from '../service-names.ts';
import { WAITING_COUNTED_MAX } from './sql-failing.ts';

/** Callbacks of each listener that are looked at: the newest. */
const MESSAGES_SEEN = 500;

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
const TimestampOrNull = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });

const WireListenerHealth = Type.Object({
  serviceName: Type.String(),
  url: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  paused: Type.Boolean(),
  failingSince: TimestampOrNull,
  lastFailure: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  hasMessages: Type.Boolean({
    description: 'Whether there was anything for it since it was first registered',
  }),
  waiting: Type.Integer({ description: `Counted up to ${WAITING_COUNTED_MAX}` }),
});

export const WireDeliveryHealth = Type.Object({
  listeners: Type.Array(WireListenerHealth),
  hours: Type.Array(
    Type.Object({
      hour: Timestamp,
      delivered: Type.Integer(),
      failed: Type.Integer(),
      pending: Type.Integer(),
      latencyMs: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'Of the median attempt that was acknowledged',
      }),
    }),
    { description: `Made of the newest ${MESSAGES_SEEN} callbacks of each listener` },
  ),
});
type DeliveryHealth = Static<typeof WireDeliveryHealth>;

const listHealth = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<DeliveryHealth['listeners'][number]>(sql`
    select l.service_name as "serviceName", l.url, l.paused, k.failing_since as "failingSince",
      case when k.failing_since is not null then k.last_failure end as "lastFailure", w.waiting,
      exists (
        select from callback_message m
        where m.ecpd_id = l.ecpd_id and m.account_name = l.account_name and m.service_name = l.service_name
          and m.created_at >= l.created_at) as "hasMessages"
    from callback_listener l
    left join callback_lane k on k.ecpd_id = l.ecpd_id and k.account_name = l.account_name
      and k.service_name = l.service_name and k.failing_since >= l.updated_at
    cross join lateral (
      select count(*)::int as waiting from (
        select from callback_pending p
        where p.ecpd_id = ${ecpdId} and p.account_name = ${accountName} and p.service_name = l.service_name
        limit ${WAITING_COUNTED_MAX}) counted) w
    where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName} order by l.service_name`);

const listHours = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<DeliveryHealth['hours'][number]>(
    unprepared(sql`
      select date_trunc('hour', m.created_at, 'UTC') as hour,
        count(*) filter (where p.waits is null and a.acknowledged)::int as delivered,
        count(*) filter (where p.waits is null and a.acknowledged is not true)::int as failed,
        count(*) filter (where p.waits)::int as pending,
        percentile_cont(0.5) within group (order by a.latency_ms) as "latencyMs"
      from unnest(${LISTENER_SERVICES}::text[]) as lane (service_name)
      cross join lateral (
        select m.message_id, m.created_at from callback_message m
        where m.ecpd_id = ${ecpdId} and m.account_name = ${accountName} and m.service_name = lane.service_name
        order by m.created_at desc, m.message_id desc limit ${MESSAGES_SEEN}) m
      left join lateral (
        select true as waits from callback_pending w
        where w.ecpd_id = ${ecpdId} and w.message_id = m.message_id limit 1) p on true
      left join lateral (
        select true as acknowledged, t.latency_ms from callback_attempt t
        where t.ecpd_id = ${ecpdId} and t.message_id = m.message_id and t.status between 200 and 299 limit 1) a on true
      group by 1 order by 1`),
  );

/** How an account's listeners are doing. Bounded, however much was sent. */
export async function readDeliveryHealth({ db }: Ctx, tenant: Tenant): Promise<DeliveryHealth> {
  const [listeners, hours] = await Promise.all([listHealth(db, tenant), listHours(db, tenant)]);
  return { listeners, hours };
}
