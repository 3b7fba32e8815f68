import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { insertResends, listAccountsOfRequest, type ResendFilter } from './sql-message.ts';

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
