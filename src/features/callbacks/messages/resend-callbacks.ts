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

/** At most this many per call; the rest still matches the next time. */
const RESENDS_MAX = 10_000;

/** Durable on return: re-sent messages wait in the same table as new ones. */
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

/** The size of one part of a long re-send: short enough to delay nothing else. */
const PART = 2_000;

/**
 * The next part of a re-send that takes several calls. It never returns to a message it has passed, even if that
 * failed again. `next` is where the following part begins; undefined if there is none.
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

/** How much a re-send would include, by service; `isAll` says whether everything was counted. */
export async function countResends({ db }: Ctx, tenant: Tenant, filter: ResendFilter) {
  const services = await countFailed(db, tenant, filter, FAILED_COUNTED_MAX + 1);
  const counted = services.reduce((sum, { failed }) => sum + failed, 0);
  return { services, isAll: counted <= FAILED_COUNTED_MAX };
}
