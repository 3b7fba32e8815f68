import type { DueWorkWatch } from '../platform/health/due-work.ts';
import type { Health } from '../platform/health/health.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** What /health/ready goes by, in the metrics; what waits is known only where it is worked. */
export function watchHealth(metrics: Metrics, health: Health, dueWork: DueWorkWatch | undefined): void {
  metrics.watchNumbers({
    name: 'linekeeper_ready',
    help: '1 for each check of this process that passes, 0 for each that keeps it from being ready',
    label: 'check',
    read: health.checks,
  });
  metrics.watchNumbers({
    name: 'linekeeper_loop_failed_passes',
    help: 'Passes in a row that have failed, of everything that this process does by itself again and again',
    label: 'loop',
    read: health.failedPasses,
  });
  if (dueWork === undefined) return;
  metrics.watchNumbers({
    name: 'linekeeper_due_work_oldest_seconds',
    help: 'How long the oldest work has been seen to wait that is due, that no process holds, and that this one has room for',
    label: 'kind',
    read: dueWork.agesSeconds,
  });
}
