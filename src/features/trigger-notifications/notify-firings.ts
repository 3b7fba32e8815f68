import type { Ctx } from '../../platform/context/context.ts';
import { postCallbacks } from '../callbacks/index.ts';
import { postNotifications } from '../notifications/index.ts';
import type { NewAction } from '../trigger-actions/index.ts';
import { plannedFor } from '../trigger-actions/index.ts';
import { alertsInSequence } from './alert.ts';
import type { Facts } from './facts.ts';
import { gatherFacts } from './facts.ts';
import { type Notice, noticesOf } from './notice.ts';
import type { NotifiedFiring } from './notified-firing.ts';
import { scheduleReminders } from './reminders.ts';
import { slicesOf, slicesOfGroups } from './slices.ts';
import { collectForSummaries } from './summaries.ts';

/** A callback is a few hundred bytes. */
const CALLBACKS_AT_ONCE = 5_000;
/** Each notice has up to two thousand recipients of both kinds. */
const NOTICES_AT_ONCE = 200;

/** One notice for each trigger, with its firings in order. */
const noticesByTrigger = (firings: readonly NotifiedFiring[]): Notice[] =>
  [...Map.groupBy(firings, ({ triggerId }) => triggerId).values()].map((ofTrigger) => ({
    trigger: ofTrigger[0]!.trigger,
    firings: ofTrigger,
    unlisted: 0,
    dedupeKey: `firing ${ofTrigger[0]!.firingId}`,
  }));

async function notifyPeople(ctx: Ctx, ecpdId: string, notices: readonly Notice[], facts: Facts) {
  for (const slice of slicesOf(notices, NOTICES_AT_ONCE))
    await postNotifications(
      ctx,
      ecpdId,
      slice.flatMap((notice) => noticesOf(notice, facts)),
    );
}

/**
 * Called in the transaction of the firings, so that people are notified exactly when triggers fired. Triggers with a
 * daily summary notify at the end of the day instead.
 */
export async function notifyFirings(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly NotifiedFiring[],
  actions: readonly NewAction[],
): Promise<void> {
  const { PerEvent: now = [], DailySummary: summed = [] } = Object.groupBy(
    firings,
    ({ trigger }) => trigger.notifies.type,
  );
  if (summed.length > 0) await collectForSummaries(ctx, ecpdId, summed);
  if (now.length === 0) return;
  const facts = await gatherFacts(ctx, ecpdId, now, plannedFor(actions));
  for (const slice of slicesOfGroups(alertsInSequence(now, facts), CALLBACKS_AT_ONCE))
    await postCallbacks(ctx, ecpdId, slice);
  const notices = noticesByTrigger(now);
  await notifyPeople(ctx, ecpdId, notices, facts);
  await scheduleReminders(ctx, ecpdId, notices);
}
