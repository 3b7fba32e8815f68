import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { LISTENER_COLUMNS, type OpenListener } from '../listeners/sql-listener.ts';
import type { DueMessage, Lane, LeasedLane } from './lane.ts';

const BYTES_MAX = 4 * 1024 * 1024;

export type Place = Pick<DueMessage, 'dueAt' | 'messageId'>;

export interface Asked {
  readonly lane: Lane;
  readonly after: Place | undefined;
  readonly limit: number;
}

/** The requested lanes, numbered from 1. A single lane is a constant, which saves one sort of its messages. */
function askedRows(asked: readonly Asked[]): Query {
  const [only, ...others] = asked.map(({ lane: { accountName, serviceName }, after, limit }) => ({
    ...{ accountName, serviceName, limit },
    dueAt: after?.dueAt ?? '-infinity',
    messageId: after?.messageId ?? NIL_UUID,
  }));
  if (others.length === 0)
    return sql`(select 1 as nth, ${only!.accountName}::text as account_name, ${only!.serviceName}::text as service_name,
        ${only!.dueAt}::timestamptz as after_due, ${only!.messageId}::uuid as after_id, ${only!.limit}::int as most) asked`;
  const all = [only!, ...others];
  return sql`unnest(${all.map((each) => each.accountName)}::text[], ${all.map((each) => each.serviceName)}::text[],
        ${all.map((each) => each.dueAt)}::timestamptz[], ${all.map((each) => each.messageId)}::uuid[],
        ${all.map((each) => each.limit)}::int[])
        with ordinality as asked (account_name, service_name, after_due, after_id, most, nth)`;
}

type Found = DueMessage & { readonly nth: number };

/** Messages of these lanes with their payloads, up to a few megabytes. */
const listMessages = (db: Db, ecpdId: string, asked: readonly Asked[], condition: Query) =>
  db.many<Found>(sql`
  select nth::int, "messageId", "requestId", "callerRequestId", payload, "restsOn", trace, "orderKey", "createdAt", due_at::text as "dueAt", series, "attemptsMade", "moveNr" from (
    select asked.nth, p.message_id as "messageId", m.request_id as "requestId", m.caller_request_id as "callerRequestId", m.payload,
      m.rests_on as "restsOn", m.trace, m.order_key as "orderKey", m.created_at as "createdAt", p.due_at, p.series, p.attempts_made as "attemptsMade",
      p.move_nr as "moveNr",
      sum(octet_length(m.payload)) over (order by asked.nth, p.due_at, p.message_id rows unbounded preceding)
        - octet_length(m.payload) as bytes_before
    from ${askedRows(asked)}
    cross join lateral (
      select * from callback_pending c
      where c.ecpd_id = ${ecpdId} and c.account_name = asked.account_name and c.service_name = asked.service_name
        and ${condition}
      order by due_at, message_id limit asked.most) p
    -- One lookup per message: a join would be planned as a read of everything the profile ever sent.
    cross join lateral (
      select request_id, caller_request_id, payload, rests_on, trace, order_key, created_at from callback_message
      where ecpd_id = ${ecpdId} and message_id = p.message_id limit 1) m) batch
  where bytes_before < ${BYTES_MAX} order by nth, due_at, "messageId"`);

export interface DueOfLane {
  readonly messages: readonly DueMessage[];
  /** Whether these are all the due messages. */
  readonly isWhole: boolean;
}

/** The next due messages of each of these lanes of one profile, in the order of the lanes. */
export async function listDueMessages(
  db: Db,
  ecpdId: string,
  asked: readonly Asked[],
  now: Date,
): Promise<readonly DueOfLane[]> {
  const condition = sql`due_at <= ${now} and (due_at, message_id) > (asked.after_due, asked.after_id)`;
  const found = await listMessages(db, ecpdId, asked, condition);
  const bytes = found.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
  const byLane = Map.groupBy(found, ({ nth }) => nth);
  return asked.map(({ limit }, index) => {
    const messages = byLane.get(index + 1) ?? [];
    return { messages, isWhole: bytes < BYTES_MAX && messages.length < limit };
  });
}

const isNoneOf = (inHand: readonly Place[]) => sql`
  (due_at, message_id) not in (
    select * from unnest(${inHand.map(({ dueAt }) => dueAt)}::timestamptz[], ${inHand.map(({ messageId }) => messageId)}::uuid[]))`;

/** Messages of one lane at or before `upTo` that are not in hand: they were committed late. */
export const listLateMessages = (
  db: Db,
  lane: Lane,
  { upTo, inHand, limit }: { upTo: Place; inHand: readonly Place[]; limit: number },
): Promise<DueMessage[]> =>
  listMessages(
    db,
    lane.ecpdId,
    [{ lane, after: upTo, limit }],
    sql`(due_at, message_id) <= (asked.after_due, asked.after_id) and ${isNoneOf(inHand)}`,
  );

/** Due messages of one lane that a clock move waits for and that are not in hand. */
export const listDueOfMove = (
  db: Db,
  lane: Lane,
  { nr, now, inHand, limit }: { nr: number; now: Date; inHand: readonly Place[]; limit: number },
): Promise<DueMessage[]> =>
  listMessages(
    db,
    lane.ecpdId,
    [{ lane, after: undefined, limit }],
    sql`due_at <= ${now} and move_nr <= ${nr} and ${isNoneOf(inHand)}`,
  );

/** The ids of those messages that were not erased. */
export const listKeptMessages = async (
  db: Db,
  { ecpdId }: Lane,
  messageIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.many<{ id: string }>(sql`
    select message_id as id from callback_message where ecpd_id = ${ecpdId} and message_id = any(${messageIds}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
};

/**
 * The listeners of these lanes that may be sent to, if the lane is still held. The account may have been deleted and
 * created again: an attempt without the lane cannot be recorded, and is repeated. Takes no lock: recording has its
 * own fence.
 */
export const listOpenListeners = (db: Db, ecpdId: string, lanes: readonly LeasedLane[]) =>
  db.many<OpenListener>(sql`
    select ${LISTENER_COLUMNS} from callback_listener
    where ecpd_id = ${ecpdId} and url is not null and not paused and (account_name, service_name) in (
      select k.account_name, k.service_name
      from unnest(${lanes.map((lane) => lane.accountName)}::text[], ${lanes.map((lane) => lane.serviceName)}::text[],
                  ${lanes.map((lane) => lane.leaseToken)}::uuid[]) as held (a, s, token)
      join callback_lane k on k.ecpd_id = ${ecpdId} and k.account_name = held.a and k.service_name = held.s
        and k.lease_token = held.token)`);
