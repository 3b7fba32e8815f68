import { type Ctx, causeOf } from '../../../platform/context/context.ts';
import { arrayText } from '../../../platform/db/array-text.ts';
import { makeOrderedIds } from '../../../platform/db/ordered-ids.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type ListenerService, payloadText } from '../../callback-payloads/index.ts';
import type { RestsOn } from '../send-callback.ts';
import { CALLBACK_CHANNEL, newsOf } from './sql-message.ts';

export interface Callback {
  readonly accountName: string;
  readonly serviceName: ListenerService;
  readonly requestId: string;
  /** Without credentials, count and signature, which belong to an attempt. */
  readonly payload: object;
  /** Set if the message may be sent only under a consent. */
  readonly restsOn?: RestsOn;
  /** See `inSequence`. */
  readonly orderKey?: string;
}

/**
 * For callbacks posted in one call: first attempts to a listener are made one after the other, in the order given. A
 * failed attempt does not delay the others.
 */
export const inSequence = (callbacks: readonly Callback[]): readonly Callback[] =>
  callbacks.length < 2
    ? callbacks
    : callbacks.map((callback) => ({ ...callback, orderKey: callbacks[0]!.requestId }));

/**
 * Call it inside the transaction that makes the fact true, so that the messages exist exactly when the fact does. One
 * statement posts any number for one profile. Only messages whose listener has an address wait to be sent; the others
 * fail at once and can be re-sent. Returns the message ids, which are also the webhook ids.
 */
export async function postCallbacks(
  { db, now, clock, chance, trace, requestId }: Ctx,
  ecpdId: string,
  callbacks: readonly Callback[],
): Promise<readonly string[]> {
  if (callbacks.length === 0) return [];
  const at = now();
  const ids = makeOrderedIds(chance, at, callbacks.length);
  const restsOn = callbacks.map((c) => (c.restsOn === undefined ? undefined : JSON.stringify(c.restsOn)));
  // Inserts take the profile from a table: a cluster then writes on the profile's server alone. Messages without a
  // listener are excluded by `not in` because a join would be planned for few messages and compare thousands with
  // each listener.
  await db.exec(sql`
    with input as (
      select * from unnest(${plainArray(ids)}::uuid[], ${arrayText(callbacks.map((c) => c.accountName))}::text[],
        ${arrayText(callbacks.map((c) => c.serviceName))}::text[], ${arrayText(callbacks.map((c) => c.requestId))}::text[],
        ${arrayText(callbacks.map((c) => payloadText(c.payload)))}::text[], ${arrayText(restsOn)}::jsonb[],
        ${arrayText(callbacks.map((c) => c.orderKey))}::text[])
        as m (message_id, account_name, service_name, request_id, payload, rests_on, order_key)),
    written as (
      insert into callback_message
        (ecpd_id, message_id, account_name, service_name, request_id, payload, rests_on, trace,
         caller_request_id, order_key, created_at)
      select p.ecpd_id, m.message_id, m.account_name, m.service_name, m.request_id, m.payload, m.rests_on, ${trace ?? null},
        ${causeOf({ requestId })}, m.order_key, ${at}
      from profile p join input m on p.ecpd_id = ${ecpdId}),
    lanes as materialized (
      select l.ecpd_id, l.account_name, l.service_name
      from (select distinct account_name, service_name from input) m join callback_listener l on l.ecpd_id = ${ecpdId}
        and l.account_name = m.account_name and l.service_name = m.service_name and l.url is not null),
    silent as materialized (
      select distinct account_name, service_name from input
      where (account_name, service_name) not in (select account_name, service_name from lanes)),
    waiting as (
      insert into callback_pending (ecpd_id, account_name, service_name, due_at, message_id, series, attempts_made, move_nr)
      select p.ecpd_id, m.account_name, m.service_name, ${at}, m.message_id, 1, 0, ${clock.moveNr()}
      from profile p join input m on p.ecpd_id = ${ecpdId}
      where (m.account_name, m.service_name) not in (select account_name, service_name from silent)),
    failed as (
      insert into callback_failed (ecpd_id, message_id, account_name, service_name, created_at)
      select p.ecpd_id, m.message_id, m.account_name, m.service_name, ${at}
      from profile p join input m on p.ecpd_id = ${ecpdId}
      where (m.account_name, m.service_name) not in (select account_name, service_name from lanes))
    select pg_notify(${CALLBACK_CHANNEL}, ${newsOf('due')}) from lanes`);
  return ids;
}
