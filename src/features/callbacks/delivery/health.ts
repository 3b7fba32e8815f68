import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { LISTENER_SERVICES } from '../../callback-payloads/index.ts';
import { type DeliveryHealth, MESSAGES_SEEN, WAITING_COUNTED_MAX } from '../schemas.ts';
import type { Lane } from './lane.ts';

const listListenerHealth = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.many<DeliveryHealth['listeners'][number]>(sql`
    select l.service_name as "serviceName", l.url, l.paused, k.failing_since as "failingSince",
      case when k.failing_since is not null then k.last_failure end as "lastFailure", w.waiting,
      exists (
        select 1 from callback_message m
        where m.ecpd_id = ${ecpdId} and m.account_name = ${accountName} and m.service_name = l.service_name
          and m.created_at >= l.created_at) as "hasMessages"
    from callback_listener l
    left join callback_lane k on k.ecpd_id = ${ecpdId} and k.account_name = ${accountName}
      and k.service_name = l.service_name and k.failing_since >= l.updated_at
    cross join lateral (
      select count(*)::int as waiting from (
        select 1 from callback_pending p
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
export async function getDeliveryHealth(db: Db, tenant: Tenant): Promise<DeliveryHealth> {
  const [listeners, hours] = await Promise.all([listListenerHealth(db, tenant), listHours(db, tenant)]);
  return { listeners, hours };
}

/** A listener that has acknowledged nothing since an attempt failed. */
export interface FailingListener extends Lane {
  readonly url: string;
  readonly failingSince: Date;
  readonly lastFailedAt: Date;
  /** In a few words: the answer, or why there was none. */
  readonly lastFailure: string;
  /** Counted up to WAITING_COUNTED_MAX. */
  readonly waiting: number;
}

interface FailingPage {
  readonly failingAfter: Date;
  readonly failingBefore: Date;
  readonly after: Lane | undefined;
  readonly limit: number;
}

/** `nth` is the index in `lanes`, from 0. */
const countWaitingFor = (db: Db, ecpdId: string, lanes: readonly Lane[]) =>
  db.many<{ nth: number; waiting: number }>(sql`
    select k.nth::int - 1 as nth, w.waiting
    from unnest(${lanes.map(({ accountName }) => accountName)}::text[], ${lanes.map(({ serviceName }) => serviceName)}::text[])
      with ordinality as k (account_name, service_name, nth)
    cross join lateral (
      select count(*)::int as waiting from (
        select 1 from callback_pending p
        where p.ecpd_id = ${ecpdId} and p.account_name = k.account_name and p.service_name = k.service_name
        limit ${WAITING_COUNTED_MAX}) counted) w`);

/**
 * Listeners that began to fail between two times, page by page in key order. Replacing or resuming a listener resets
 * its time. Paused listeners are excluded, because whoever paused them already knows.
 */
const listFailing = (db: Db, { failingAfter, failingBefore, after, limit }: FailingPage) =>
  db.many<Omit<FailingListener, 'waiting'>>(sql`
    select k.ecpd_id as "ecpdId", k.account_name as "accountName", k.service_name as "serviceName", l.url,
      k.failing_since as "failingSince", k.last_failed_at as "lastFailedAt", k.last_failure as "lastFailure"
    from callback_lane k
    join callback_listener l using (ecpd_id, account_name, service_name)
    where k.failing_since > ${failingAfter} and k.failing_since <= ${failingBefore} and k.failing_since >= l.updated_at
      and l.url is not null and not l.paused
      and (k.ecpd_id, k.account_name, k.service_name)
        > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''}, ${after?.serviceName ?? ''})
    order by k.ecpd_id, k.account_name, k.service_name limit ${limit}`);

/** One page of `listFailing` with the number of waiting messages, counted profile by profile. */
export async function listFailingListeners(db: Db, page: FailingPage): Promise<readonly FailingListener[]> {
  const failing = await listFailing(db, page);
  const found: FailingListener[] = [];
  for (const [ecpdId, lanes] of Map.groupBy(failing, (each) => each.ecpdId)) {
    const counts = new Map(
      (await countWaitingFor(db, ecpdId, lanes)).map(({ nth, waiting }) => [nth, waiting] as const),
    );
    found.push(...lanes.map((lane, nth) => ({ ...lane, waiting: counts.get(nth) ?? 0 })));
  }
  return found;
}

/**
 * Waiting messages, each counted once: due now, due later for another attempt, or held back by a paused listener. The
 * last group waits for as long as an operator wants and is no backlog.
 */
export type Backlog = Readonly<Record<'due' | 'later' | 'paused', number>>;

/** Counting further is pointless: this is already too many. */
const COUNTED_MAX = 1_000_000;

export const countWaiting = (db: Db, now: Date) =>
  db.one<Backlog>(
    unprepared(sql`
      select (count(*) filter (where not paused and due_at <= ${now}))::int as due,
        (count(*) filter (where not paused and due_at > ${now}))::int as later,
        (count(*) filter (where paused))::int as paused
      from (
        select p.due_at, coalesce(l.paused, false) as paused
        from callback_pending p left join callback_listener l using (ecpd_id, account_name, service_name)
        limit ${COUNTED_MAX}) counted`),
  );
