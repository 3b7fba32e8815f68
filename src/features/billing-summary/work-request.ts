import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { findAccount } from '../accounts/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import { BillTooLarge } from '../usage/index.ts';
import { answerBill, answerUsage, type Step, toFailure } from './answer-request.ts';
import { billingFaults } from './errors.ts';
import { endRequest, lockOpenRequest, markFailed } from './sql-request.ts';
import type { Cursor } from './summary-request.ts';

/** Enough for a label of ten thousand devices over a year. */
const STEP_MS = 10 * 60_000;

/** Posts messages. A request with any failure has failed. */
async function post(ctx: Ctx, tenant: Tenant, requestId: string, payloads: readonly object[]): Promise<void> {
  const { ecpdId, accountName } = tenant;
  await postCallbacks(
    ctx,
    ecpdId,
    payloads.map((payload) => ({ accountName, serviceName: 'DeviceUsage' as const, requestId, payload })),
  );
  if (payloads.some((payload) => 'faultResponse' in payload)) await markFailed(ctx.db, tenant, requestId);
}

/**
 * Answers the next part of a request, and ends it after the last one; returns where to continue. Call it in a
 * transaction, so that the messages and the progress commit together.
 */
export async function workChunk(
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
  cursor: Cursor,
): Promise<Cursor | undefined> {
  await ctx.db.allowTime(STEP_MS);
  const request = await lockOpenRequest(ctx.db, tenant, requestId);
  const account = request && (await findAccount(ctx.db, tenant));
  if (account === undefined) return undefined;
  const { asked } = request!;
  let step: Step;
  try {
    step =
      asked.what === 'bill'
        ? await answerBill(ctx, account, requestId, asked, cursor)
        : await answerUsage(ctx, account, requestId, asked, cursor);
  } catch (error) {
    if (!(error instanceof BillTooLarge)) throw error;
    step = { payloads: [toFailure(requestId, billingFaults.tooLarge)] };
  }
  await post(ctx, tenant, requestId, step.payloads);
  if (step.next !== undefined) return { ...step.next, told: cursor.told || step.payloads.length > 0 };
  await endRequest(ctx.db, tenant, requestId, ctx.now());
  return undefined;
}

/** Tells the customer by a failure that no more messages will follow. */
export const giveUpRequest = (outer: Ctx, tenant: Tenant, requestId: string): Promise<void> =>
  inTx(outer, async (ctx) => {
    if ((await lockOpenRequest(ctx.db, tenant, requestId)) === undefined) return;
    await post(ctx, tenant, requestId, [toFailure(requestId, billingFaults.unexpected)]);
    await endRequest(ctx.db, tenant, requestId, ctx.now());
  });
