import type { Static } from 'typebox';
import type { CausedFilter, Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { joinSql, type Query, sql, trusted, unprepared } from '../../../platform/db/sql.ts';
import { LISTENER_SERVICES } from '../../callback-payloads/index.ts';
import type { WireDelivery } from '../schemas.ts';
import type { RestsOn, WithholdPayloads } from '../send-callback.ts';

type DeliveryState = 'pending' | 'delivered' | 'failed';

interface DeliveryFilter {
  /** Absent for an operator who searches all accounts. */
  readonly tenant?: Tenant | undefined;
  readonly messageId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** The last entry of the previous page. */
  readonly before?: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

export interface Delivery extends Tenant, Omit<Static<typeof WireDelivery>, keyof Tenant | 'state'> {
  readonly state: DeliveryState;
  readonly restsOn: RestsOn | null;
}

/** The state is derived from pending rows and acknowledged attempts. `m` is the message or has its columns. */
const IS_PENDING = sql`exists (
  select 1 from callback_pending w where w.ecpd_id = m.ecpd_id and w.message_id = m.message_id)`;
const IS_ACKNOWLEDGED = sql`exists (
  select 1 from callback_attempt t
  where t.ecpd_id = m.ecpd_id and t.message_id = m.message_id and t.status between 200 and 299)`;
const IN_STATE: Readonly<Record<DeliveryState, Query>> = {
  pending: IS_PENDING,
  delivered: sql`not ${IS_PENDING} and ${IS_ACKNOWLEDGED}`,
  failed: sql`not ${IS_PENDING} and not ${IS_ACKNOWLEDGED}`,
};

const NEWEST_FIRST = trusted('order by m.created_at desc, m.message_id desc');

/**
 * The newest messages that match. Each filter uses the most selective table or index: pending and failed messages
 * have tables of their own, and requests and lanes have an index. No query scans all delivered messages.
 */
function newest({ tenant, messageId, requestId, serviceName, state, before, limit }: DeliveryFilter): Query {
  const earlier =
    before === undefined ? [] : [sql`(m.created_at, m.message_id) < (${before.at}, ${before.id}::uuid)`];
  const found = (from: Query, ...conditions: Query[]) => sql`
    select m.ecpd_id, m.message_id, m.created_at from ${from}
    where ${joinSql([...conditions, ...earlier, ...(state === undefined ? [] : [IN_STATE[state]])], ' and ')}
    ${NEWEST_FIRST} limit ${limit}`;
  const ofTenant =
    tenant === undefined
      ? sql`true`
      : sql`m.ecpd_id = ${tenant.ecpdId} and m.account_name = ${tenant.accountName}`;
  const ofService = serviceName === undefined ? sql`true` : sql`m.service_name = ${serviceName}`;

  if (messageId !== undefined)
    return found(sql`callback_message m`, sql`m.message_id = ${messageId}`, ofTenant);
  if (requestId !== undefined)
    return found(sql`callback_message m`, sql`m.request_id = ${requestId}`, ofTenant, ofService);
  if (state === 'failed') return found(sql`callback_failed m`, ofTenant, ofService);
  if (state === 'pending')
    return found(
      sql`callback_pending p join callback_message m on m.ecpd_id = p.ecpd_id and m.message_id = p.message_id
          and m.account_name = p.account_name and m.service_name = p.service_name`,
      ofTenant,
      ofService,
    );
  if (tenant === undefined) return found(sql`callback_message m`, ofService);
  const services = serviceName === undefined ? LISTENER_SERVICES : [serviceName];
  return sql`
    select m.ecpd_id, m.message_id, m.created_at from unnest(${services}::text[]) as lane (service_name)
    cross join lateral (${found(sql`callback_message m`, ofTenant, sql`m.service_name = lane.service_name`)}) m
    ${NEWEST_FIRST} limit ${limit}`;
}

/** Newest first, with every attempt. For one account, all reads stay on its profile's server. */
const findDeliveries = (db: Db, filter: DeliveryFilter) => {
  const ofProfile = (row: Query) =>
    filter.tenant === undefined ? sql`true` : sql`${row}.ecpd_id = ${filter.tenant.ecpdId}`;
  return db.many<Delivery>(
    unprepared(sql`
      select m.ecpd_id as "ecpdId", m.message_id as id, m.request_id as "requestId", m.account_name as "accountName",
        m.service_name as "serviceName", m.created_at as "createdAt", p.due_at as "nextAttemptAt",
        m.payload::json as payload, m.rests_on as "restsOn",
        case when p.due_at is not null then 'pending' when a.acknowledged then 'delivered' else 'failed' end as state,
        coalesce(a.attempts, '[]') as attempts
      from (${newest(filter)}) found
      join callback_message m on m.ecpd_id = found.ecpd_id and m.message_id = found.message_id
        and ${ofProfile(sql`m`)}
      left join lateral (
        select due_at from callback_pending w
        where w.ecpd_id = m.ecpd_id and w.message_id = m.message_id and ${ofProfile(sql`w`)} limit 1) p on true
      left join lateral (
        select json_agg(json_build_object('at', t.at, 'series', t.series, 'attempt', t.attempt, 'status', t.status,
                 'latencyMs', t.latency_ms, 'error', t.error, 'body', t.answer,
                 'headers', t.answer_headers) order by t.series, t.attempt) as attempts,
               bool_or(t.status between 200 and 299) as acknowledged
        from callback_attempt t
        where t.ecpd_id = m.ecpd_id and t.message_id = m.message_id and ${ofProfile(sql`t`)}) a on true
      ${NEWEST_FIRST}`),
  );
};

/** The log shows what could be sent now, so it omits a position whose consent was withdrawn. */
export async function listDeliveries(
  ctx: Ctx,
  filter: DeliveryFilter,
  withhold: WithholdPayloads,
): Promise<Delivery[]> {
  const deliveries = await findDeliveries(ctx.db, filter);
  const resting = deliveries.filter(({ restsOn }) => restsOn !== null);
  const instead = new Map<string, string>();
  for (const [, of] of Map.groupBy(resting, ({ ecpdId, accountName }) => `${ecpdId} ${accountName}`)) {
    const messages = of.map(({ id, payload, restsOn }) => ({
      messageId: id,
      payload: JSON.stringify(payload),
      restsOn: restsOn!,
    }));
    for (const [id, payload] of await withhold(ctx, of[0]!, messages)) instead.set(id, payload);
  }
  return deliveries.map((delivery) => {
    const payload = instead.get(delivery.id);
    if (payload === undefined) return delivery;
    // A listener may have sent the payload back.
    const attempts = delivery.attempts.map((attempt) => ({ ...attempt, body: '', headers: null }));
    return { ...delivery, payload: JSON.parse(payload), attempts };
  });
}

interface CausedCallback extends Pick<Delivery, 'id' | 'requestId' | 'accountName' | 'serviceName'> {
  readonly cause: string;
  readonly at: Date;
}

/** Callbacks that requests caused, the first ones of each. */
export const listCausedCallbacks = (db: Db, { causes, since, limit }: CausedFilter) =>
  db.many<CausedCallback>(sql`
    select message_id as id, request_id as "requestId", account_name as "accountName", service_name as "serviceName",
      caller_request_id as cause, created_at as at from (
      select *, row_number() over (partition by caller_request_id order by created_at, message_id) as nth
      from callback_message where caller_request_id = any(${causes}::text[]) and created_at >= ${since}) of
    where nth <= ${limit} order by created_at, message_id`);

/** Few enough to count every other second. */
const MARKED_MAX = 500;

/** For polling clients: changes with every callback posted, tried or failed, even on a stopped clock. */
export const findDeliveryMark = async (db: Db, { ecpdId, accountName }: Tenant): Promise<string> => {
  const ofLane = sql`m.ecpd_id = ${ecpdId} and m.account_name = ${accountName} and m.service_name = lane.service_name`;
  const { mark } = await db.one<{ mark: string }>(sql`
      with newest as (
        select lane.service_name, m.created_at from unnest(${LISTENER_SERVICES}::text[]) as lane (service_name)
        cross join lateral (
          select created_at from callback_message m where ${ofLane} order by m.created_at desc limit 1) m)
      select concat_ws(' ', n.newest, s.posted, p.waiting, p.last, f.failed) as mark
      from (select max(created_at) as newest from newest) n,
      (select count(*) as posted from (
        select 1 from newest lane join callback_message m on ${ofLane} and m.created_at = lane.created_at
        limit ${MARKED_MAX}) same_time) s,
      (select count(*) as waiting, max(due_at) as last from (
        select due_at from callback_pending where ecpd_id = ${ecpdId} and account_name = ${accountName}
        limit ${MARKED_MAX}) waits) p,
      (select count(*) as failed from (
        select 1 from callback_failed where ecpd_id = ${ecpdId} and account_name = ${accountName}
        limit ${MARKED_MAX}) fails) f`);
  return mark;
};
