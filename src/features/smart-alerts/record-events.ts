import type { Ctx } from '../../platform/context/context.ts';
import { sensorRuleAlert } from '../callback-payloads/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import { type AlertEvent, CLEARED } from './progress.ts';
import { clearAlerts, insertAlerts, listOpenAlerts } from './sql-alert.ts';
import { deleteReadings } from './sql-reading.ts';
import { deleteStates } from './sql-state.ts';

/** For the metrics. */
export type CountAlerts = (to: AlertEvent['to'], count: number) => void;

const toCallback = (event: AlertEvent) => ({
  accountName: event.accountName,
  serviceName: 'AlertService' as const,
  // Shared by both messages about an alert, so that searches and re-sends find both.
  requestId: event.alertId,
  payload: sensorRuleAlert(event.alertId, {
    ruleId: event.ruleId,
    ruleName: event.ruleName,
    deviceid: event.deviceId,
    state: event.to,
    reading: event.reading,
    message: event.message,
  }),
});

/** Call it in the transaction of the transitions: then records and callbacks exist exactly when the state does. */
export async function recordEvents(
  ctx: Ctx,
  ecpdId: string,
  events: readonly AlertEvent[],
  count: CountAlerts,
): Promise<void> {
  if (events.length === 0) return;
  const raised = events.filter(({ to }) => to === 'raised');
  const cleared = events.filter(({ to }) => to === 'cleared');
  const clearedById = new Map(cleared.map((event) => [event.alertId, event]));
  const fresh = new Set(raised.map(({ alertId }) => alertId));
  // A rule has one open alert, so the old one is cleared before the next is written.
  await clearAlerts(
    ctx.db,
    ecpdId,
    cleared.filter(({ alertId }) => !fresh.has(alertId)),
    ctx.now(),
  );
  await insertAlerts(
    ctx.db,
    ecpdId,
    raised.map((event) => {
      const end = clearedById.get(event.alertId);
      return { ...event, clearedAtMs: end?.atMs, clearedBecause: end?.message };
    }),
    ctx.now(),
  );
  await postCallbacks(ctx, ecpdId, events.map(toCallback));
  count('raised', raised.length);
  count('cleared', cleared.length);
}

/**
 * For moving devices to another account, in the transaction that has locked them: clears the open alerts of their
 * rules in the old account and starts the rules from scratch. Readings stay behind.
 */
export async function leaveAccount(
  ctx: Ctx,
  ecpdId: string,
  { deviceIds, ruleIds }: { readonly deviceIds: readonly string[]; readonly ruleIds: readonly string[] },
  count: CountAlerts,
): Promise<void> {
  const atMs = ctx.now().getTime();
  await deleteReadings(ctx.db, ecpdId, deviceIds);
  const open = await listOpenAlerts(ctx.db, ecpdId, ruleIds);
  await deleteStates(ctx.db, ecpdId, ruleIds);
  const cleared = { to: 'cleared' as const, atMs, message: CLEARED.deviceMoved, reading: {} };
  await recordEvents(
    ctx,
    ecpdId,
    open.map((alert) => ({ ...alert, ...cleared })),
    count,
  );
}
