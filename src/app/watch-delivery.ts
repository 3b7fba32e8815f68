import { countSealedListeners, type DeliveryEngine } from '../features/callbacks/index.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** What an operator can see of callbacks in the metrics of a process that delivers them. */
export function watchDelivery(metrics: Metrics, delivery: DeliveryEngine, ctx: Ctx): void {
  metrics.watchCounts({
    name: 'linekeeper_callback_attempts_total',
    help: 'Attempts to deliver callbacks by outcome, since this process started',
    label: 'outcome',
    read: () => delivery.counts,
  });
  metrics.watchCounts({
    name: 'linekeeper_callback_lane_claims_total',
    help: 'Lanes claimed since this process started: free ones, and those taken over from dead workers',
    label: 'lane',
    read: () => delivery.claims,
  });
  metrics.watchNumbers({
    name: 'linekeeper_callback_load',
    help: 'Lanes this process holds, and messages under way',
    label: 'what',
    read: delivery.load,
  });
  metrics.watchNumbers({
    name: 'linekeeper_callbacks_waiting',
    help: 'Callbacks that wait, in all processes: due, later for another attempt, held back by a paused listener',
    label: 'state',
    read: delivery.backlog,
  });
  metrics.watchNumbers({
    name: 'linekeeper_callback_oldest_seconds',
    help: 'Since when the callback that has been due longest waits, in all processes; without paused listeners',
    label: 'state',
    async read() {
      const oldest = await delivery.nextDueAt();
      return {
        due: oldest === undefined ? 0 : Math.max(0, (ctx.now().getTime() - oldest.getTime()) / 1_000),
      };
    },
  });
  metrics.watchNumbers({
    name: 'linekeeper_sealed_listeners',
    help: 'Listeners by the key that is needed to open their secrets: the first, an older one, one that is missing',
    label: 'key',
    read: () => countSealedListeners(ctx),
  });
}
