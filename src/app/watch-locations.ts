import type { Locator } from '../features/locations/index.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** What an operator can see of the position source in the metrics of a process that asks it. */
export function watchLocations(metrics: Metrics, locator: Locator): void {
  metrics.watchCounts({
    name: 'linekeeper_position_answers_total',
    help: 'Answers of the position source by outcome, since this process started: for devices, or for whole requests that it refused or did not answer',
    label: 'outcome',
    read: () => locator.counts,
  });
  metrics.watchNumbers({
    name: 'linekeeper_position_requests',
    help: 'Requests that wait for a place with the position source, and whether it is left alone because it did not answer',
    label: 'what',
    read: () => ({ waiting: locator.countWaiting(), circuitOpen: locator.isCircuitOpen() ? 1 : 0 }),
  });
}
