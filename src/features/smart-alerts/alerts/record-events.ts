import type { Ctx } from '../../../platform/context/context.ts';
import { postCallbacks, sensorRuleAlert } from '../../callbacks/index.ts';
import type { AlertEvent } from '../watching/watched.ts';
import { clearAlerts, insertAlerts } from './sql-alert.ts';

/** For the metrics. */
export type CountAlerts = (to: AlertEvent['to'], count: number) => void;

const toCallback = (event: AlertEvent) => ({
  accountName: event.accountName,
  serviceName: 'AlertService' as const,
  // The same for both messages about an alert, so that they are found and re-sent by it.
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

/** Call it in the transaction that made them happen: records and callbacks exist exactly when the state says so. */
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
  // A rule has one open alert: the old one is cleared before the next is written.
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
