import type { Ctx } from '../../platform/context/context.ts';
import { throttleNotice } from '../callback-payloads/index.ts';
import { type Callback, listListeningAccounts, postCallbacks } from '../callbacks/index.ts';
import type { CountedUsage } from '../usage/index.ts';
import { identifiersOf } from './facts.ts';
import { slicesOf } from './slices.ts';
import { insertThrottledLines, listThrottledLines, type ThrottledLine } from './sql-throttled.ts';
import { insertThrottledPools, type ThrottledPool } from './sql-throttled-pools.ts';

const SERVICE = 'SubscriptionNotificationService';
const CALLBACKS_AT_ONCE = 5_000;

/** Only these accounts are notified: without a listener, nothing is counted or stored. */
export const listThrottleListeners = ({ db }: Ctx, ecpdId: string) =>
  listListeningAccounts(db, ecpdId, SERVICE);

/** A plan that throttles before its allowance is used up slows down; one that throttles at the end stops. */
const throttleOf = (throttleAtPercent: number) => (throttleAtPercent >= 100 ? 'complete' : 'partial');

type Throttled = ThrottledLine | ThrottledPool;

const toCallback = (throttled: Throttled, requestId: string): Callback => ({
  accountName: throttled.accountName,
  serviceName: SERVICE,
  requestId,
  payload: throttleNotice({
    accountName: throttled.accountName,
    deviceIds: 'imei' in throttled ? identifiersOf(throttled) : [],
    servicePlan: throttled.planCode,
    throttle: throttleOf(throttled.throttleAtPercent),
    percent: throttled.percent,
  }),
});

/** Called in the transaction of a batch. Notifies once a month of lines and pools that reach their plan's throttling point. */
export async function notifyThrottling(ctx: Ctx, ecpdId: string, counted: CountedUsage): Promise<void> {
  const listening = await listThrottleListeners(ctx, ecpdId);
  if (listening.length === 0) return;
  const listeners = new Set(listening);
  const changes = counted.changesOfLines((accountName, _, cycle) =>
    listeners.has(accountName) && cycle === 'Monthly' ? () => true : undefined,
  );
  const lines = await listThrottledLines(
    ctx.db,
    ecpdId,
    changes.filter(({ span }) => span.timeliness === 'open'),
  );
  for (const slice of slicesOf(lines, CALLBACKS_AT_ONCE)) await insertThrottledLines(ctx.db, ecpdId, slice);
  const throttled = [...lines, ...(await insertThrottledPools(ctx, ecpdId, counted, listening))];
  for (const slice of slicesOf(throttled, CALLBACKS_AT_ONCE))
    await postCallbacks(
      ctx,
      ecpdId,
      slice.map((one) => toCallback(one, ctx.newId())),
    );
}
