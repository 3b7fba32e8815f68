import { totalmem } from 'node:os';
import type { Settings } from '../platform/config/settings.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** What alert rules need to know about a process, so that they need not be told of its deployment. */
export function watchProcess(metrics: Metrics, { role }: Pick<Settings, 'role'>): void {
  metrics.watchNumbers({
    name: 'linekeeper_role',
    help: '1, by the role of this process: where no process has one of them, what it does is not done',
    label: 'role',
    read: () => ({ [role]: 1 }),
  });
  metrics.watchNumbers({
    name: 'linekeeper_memory_bytes',
    help: 'What this process may use at most: the limit of its container, or all of the machine',
    label: 'what',
    // Without a limit the system tells none, or one that no machine has.
    read: () => ({ limit: Math.min(process.constrainedMemory() || totalmem(), totalmem()) }),
  });
}
