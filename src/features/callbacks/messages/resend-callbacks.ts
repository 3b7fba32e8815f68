import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { FAILED_COUNTED_MAX } from '../schemas.ts';
import { listAccountsOfRequest } from './sql-message.ts';
import {
  countFailed,
  insertResends,
  listResendable,
  type ResendCursor,
  type ResendFilter,
} from './sql-resend.ts';

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

/** One call of a long re-send: short enough that nobody waits for it. */
const PART = 2_000;

/**
 * The next part of a re-send that goes on over several calls: what it has come by is not met again, also when it has failed
 * once more. `next` is where the one after it begins; undefined when there is none.
 */
export const resendPart = (
  outer: Ctx,
  tenant: Tenant,
  filter: ResendFilter,
  after: ResendCursor | undefined,
): Promise<{ readonly resent: number; readonly next: ResendCursor | undefined }> =>
  inTx(outer, async ({ db, now, clock }) => {
    const found = await listResendable(db, tenant, filter, { after, limit: PART });
    const taken = { messageIds: found.map(({ id }) => id) };
    const resent =
      found.length === 0
        ? 0
        : await insertResends(db, tenant, taken, { now: now(), moveNr: clock.moveNr() }, PART);
    return { resent, next: found.length < PART ? undefined : found.at(-1) };
  });

/** How much a re-send would take, by service; `isAll` says whether all of it was counted. */
export async function countResends({ db }: Ctx, tenant: Tenant, filter: ResendFilter) {
  const services = await countFailed(db, tenant, filter, FAILED_COUNTED_MAX + 1);
  const counted = services.reduce((sum, { failed }) => sum + failed, 0);
  return { services, isAll: counted <= FAILED_COUNTED_MAX };
}
