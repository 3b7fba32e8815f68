import { type Ctx, inTx, NO_REQUEST, type Tenant } from '../../../platform/context/context.ts';
import { makeOrderedIds } from '../../../platform/db/ordered-ids.ts';
import { payloadText } from '../payloads/envelope.ts';
import type { RestsOn } from '../send-callback.ts';
import type { ListenerService } from '../service-names.ts';
import { insertMessages, insertResends, listAccountsOfRequest, type ResendFilter } from './sql-message.ts';

export interface Callback {
  readonly accountName: string;
  readonly serviceName: ListenerService;
  readonly requestId: string;
  /** Without credentials, count and signature: those belong to an attempt. */
  readonly payload: object;
  /** Set where the message may leave only under a consent. */
  readonly restsOn?: RestsOn;
  /** See `inSequence`. */
  readonly orderKey?: string;
}

/**
 * For what is posted in one call: its first attempts to a listener are made one after the other, in the order given. One
 * that fails holds up none of the others.
 */
export const inSequence = (callbacks: readonly Callback[]): readonly Callback[] =>
  callbacks.length < 2
    ? callbacks
    : callbacks.map((callback) => ({ ...callback, orderKey: callbacks[0]!.requestId }));

/**
 * Call it inside the transaction that made the fact true: the messages exist exactly when the fact
 * does. Thousands go in one statement. Answers their ids, which are also their webhook ids.
 */
export async function postCallbacks(
  { db, now, clock, trace, requestId: caller }: Ctx,
  ecpdId: string,
  callbacks: readonly Callback[],
): Promise<readonly string[]> {
  if (callbacks.length === 0) return [];
  const postedAt = now();
  const ids = makeOrderedIds(postedAt, callbacks.length);
  const messages = callbacks.map(
    ({ accountName, serviceName, requestId, payload, restsOn, orderKey }, n) => ({
      messageId: ids[n]!,
      accountName,
      serviceName,
      requestId,
      payload: payloadText(payload),
      restsOn: restsOn === undefined ? null : JSON.stringify(restsOn),
      orderKey: orderKey ?? null,
    }),
  );
  await insertMessages(db, ecpdId, messages, {
    at: postedAt,
    trace: trace ?? null,
    callerRequestId: caller === NO_REQUEST ? null : caller,
    moveNr: clock.moveNr(),
  });
  return ids;
}

/** One call's worth; the rest matches again the next time. */
const RESENDS_MAX = 10_000;

/** Durable when it answers: what is re-sent waits in the same table as what is new. */
export const resendCallbacks = (outer: Ctx, tenant: Tenant, filter: ResendFilter): Promise<number> =>
  inTx(outer, ({ db, now, clock }) =>
    insertResends(db, tenant, filter, { now: now(), moveNr: clock.moveNr() }, RESENDS_MAX),
  );

/** For an operator who knows only the request id. */
export async function resendRequest(ctx: Ctx, requestId: string): Promise<number> {
  let resent = 0;
  for (const tenant of await listAccountsOfRequest(ctx.db, requestId)) {
    resent += await resendCallbacks(ctx, tenant, { requestId });
  }
  return resent;
}
