import { totalmem } from 'node:os';
import { countSealedListeners, type DeliveryEngine } from '../features/callbacks/index.ts';
import type { Locator } from '../features/locations/index.ts';
import { type CheckedNetwork, listElements, type OrderEngine } from '../features/network/index.ts';
import { type KnownFeed, listFeeds } from '../features/network-feeds/index.ts';
import type { NotificationEngine } from '../features/notifications/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { Database } from '../platform/db/db.ts';
import type { Servers } from '../platform/db/servers.ts';
import type { DueWorkCheck } from '../platform/health/due-work.ts';
import type { Health } from '../platform/health/health.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/** Facts about a process for alert rules, independent of the deployment. */
export function measureProcess(metrics: Metrics, { role }: Pick<Settings, 'role'>): void {
  metrics.addGauge({
    name: 'linekeeper_role',
    help: '1, by the role of this process: where no process has one of them, what it does is not done',
    label: 'role',
    read: () => ({ [role]: 1 }),
  });
  metrics.addGauge({
    name: 'linekeeper_memory_bytes',
    help: 'What this process may use at most: the limit of its container, or all of the machine',
    label: 'what',
    // Without a limit, the system reports none, or one beyond any machine.
    read: () => ({ limit: Math.min(process.constrainedMemory() || totalmem(), totalmem()) }),
  });
}

/** The checks of /health/ready. Only workers know the waiting work. */
export function measureHealth(metrics: Metrics, health: Health, dueWork: DueWorkCheck | undefined): void {
  metrics.addGauge({
    name: 'linekeeper_ready',
    help: '1 for each check of this process that passes, 0 for each that keeps it from being ready',
    label: 'check',
    read: health.checks,
  });
  metrics.addGauge({
    name: 'linekeeper_loop_failed_passes',
    help: 'Passes in a row that have failed, of everything that this process does by itself again and again',
    label: 'loop',
    read: health.failedPasses,
  });
  if (dueWork === undefined) return;
  metrics.addGauge({
    name: 'linekeeper_due_work_oldest_seconds',
    help: 'How long the oldest work has been seen to wait that is due, that no process holds, and that this one has room for',
    label: 'kind',
    read: dueWork.agesSeconds,
  });
}

/** Metrics of a distributed database; none for a single server. */
export function measureWorkers(metrics: Metrics, servers: Servers): void {
  metrics.addGauge({
    name: 'linekeeper_database_worker_answers',
    help: '1 for each worker of a distributed database that answers, 0 for each that does not: its customers get 503',
    label: 'worker',
    read: () => Object.fromEntries(servers.list().map(({ name, answers }) => [name, answers ? 1 : 0])),
  });
}

/** Metrics of a process that delivers callbacks. */
export function measureDelivery(metrics: Metrics, delivery: DeliveryEngine, ctx: Ctx): void {
  metrics.addTotals({
    name: 'linekeeper_callback_attempts_total',
    help: 'Attempts to deliver callbacks by outcome, since this process started',
    label: 'outcome',
    read: () => delivery.counts,
  });
  metrics.addTotals({
    name: 'linekeeper_callback_lane_claims_total',
    help: 'Lanes claimed since this process started: free ones, and those taken over from dead workers',
    label: 'lane',
    read: () => delivery.claims,
  });
  metrics.addGauge({
    name: 'linekeeper_callback_load',
    help: 'Lanes this process holds, and messages under way',
    label: 'what',
    read: delivery.load,
  });
  metrics.addGauge({
    name: 'linekeeper_callbacks_waiting',
    help: 'Callbacks that wait, in all processes: due, later for another attempt, held back by a paused listener',
    label: 'state',
    read: delivery.backlog,
  });
  metrics.addGauge({
    name: 'linekeeper_callback_oldest_seconds',
    help: 'Since when the callback that has been due longest waits, in all processes; without paused listeners',
    label: 'state',
    async read() {
      const oldest = (await delivery.nextDueAt()) ?? ctx.now();
      return { due: Math.max(0, (ctx.now().getTime() - oldest.getTime()) / 1_000) };
    },
  });
  metrics.addGauge({
    name: 'linekeeper_sealed_listeners',
    help: 'Listeners by the key that is needed to open their secrets: the first, an older one, one that is missing',
    label: 'key',
    read: () => countSealedListeners(ctx),
  });
}

export function measureNotifications(metrics: Metrics, { counts, backlog }: NotificationEngine): void {
  for (const [channel, words] of [
    ['mail', 'mail'],
    ['sms', 'SMS'],
  ] as const) {
    metrics.addTotals({
      name: `linekeeper_${channel}_attempts_total`,
      help: `Recipients of ${words} by what became of an attempt, since this process started`,
      label: 'outcome',
      read: () => counts[channel],
    });
  }
  metrics.addGauge({
    name: 'linekeeper_notification_backlog',
    help: 'Recipients of mail and SMS that wait, and the age of the oldest in seconds, in all processes',
    label: 'what',
    read: backlog,
  });
}

export function measureLocations(metrics: Metrics, locator: Locator): void {
  metrics.addTotals({
    name: 'linekeeper_position_answers_total',
    help: 'Answers of the position source by outcome, since this process started: for devices, or for whole requests that it refused or did not answer',
    label: 'outcome',
    read: () => locator.counts,
  });
  metrics.addGauge({
    name: 'linekeeper_position_requests',
    help: 'Requests that wait for a place with the position source, and whether it is left alone because it did not answer',
    label: 'what',
    read: () => ({ waiting: locator.countWaiting(), circuitOpen: locator.isCircuitOpen() ? 1 : 0 }),
  });
}

export function measureConnections(metrics: Metrics, db: Database): void {
  metrics.addGauge({
    name: 'linekeeper_db_connections',
    help: 'Connections to the database, and callers that wait for one',
    label: 'state',
    read: db.countConnections,
  });
}

/** Finished files of usage records. */
export const countFiles = (metrics: Metrics): ((outcome: 'done' | 'failed') => void) => {
  const count = metrics.addCounter({
    name: 'linekeeper_usage_files_total',
    help: 'Files of usage records by outcome, since this process started',
    label: 'outcome',
    values: ['done', 'failed'],
  });
  return (outcome) => count(outcome, 1);
};

interface GaugeOf<Status> {
  readonly name: string;
  readonly help: string;
  readonly of: (status: Status) => number;
}

/** Several gauges from one list, which is read once. */
function addGaugesOf<Status extends { readonly name: string }>(
  metrics: Metrics,
  { label, list }: { readonly label: string; readonly list: () => Promise<readonly Status[]> },
  gauges: readonly GaugeOf<Status>[],
): void {
  let reading: Promise<readonly Status[]> | undefined;
  const readOnce = () => {
    reading ??= list().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  for (const { name, help, of } of gauges)
    metrics.addGauge({
      ...{ name, help, label },
      read: async () => Object.fromEntries((await readOnce()).map((status) => [status.name, of(status)])),
    });
}

/** Orders of network elements: pending ones and answers, and differences. */
export function measureNetwork(
  metrics: Metrics,
  ctx: Ctx,
  network: CheckedNetwork,
  orders: OrderEngine | undefined,
): void {
  for (const [outcome, what] of [
    ['done', 'carried out'],
    ['refused', 'refused'],
    ['failed', 'did not answer or not carry out now, each try'],
  ] as const)
    metrics.addTotals({
      name: `linekeeper_network_orders_${outcome}_total`,
      help: `Orders that a network element has ${what}, since this process started`,
      label: 'element',
      read: () =>
        Object.fromEntries([...(orders?.counts ?? [])].map(([name, counts]) => [name, counts[outcome]])),
    });
  addGaugesOf(metrics, { label: 'element', list: () => listElements(ctx, network) }, [
    {
      name: 'linekeeper_network_backlog',
      help: 'Orders that are not done, by network element, in all processes',
      of: ({ backlog }) => backlog,
    },
    {
      name: 'linekeeper_network_lag_seconds',
      help: 'The age of the oldest order that is not done, by network element',
      of: ({ lagSeconds }) => lagSeconds,
    },
    {
      name: 'linekeeper_network_differences',
      help: 'Lines that a network element has otherwise than they are here, as far as was seen',
      of: ({ differences }) => differences,
    },
  ]);
}

/** Metrics of feeds from networks. */
export function measureFeeds(metrics: Metrics, ctx: Ctx, known: readonly KnownFeed[]): void {
  if (known.length === 0) return;
  addGaugesOf(metrics, { label: 'feed', list: () => listFeeds(ctx, known) }, [
    {
      name: 'linekeeper_network_feed_backlog',
      help: 'Files or packets that wait to be taken, by feed, in all processes',
      of: ({ backlog }) => backlog,
    },
    {
      name: 'linekeeper_network_feed_lag_seconds',
      help: 'The age of the oldest file or packet that waits, by feed',
      of: ({ lagSeconds }) => lagSeconds,
    },
    {
      name: 'linekeeper_network_feed_rejected',
      help: 'Records of a feed that were rejected, in all processes, since they started',
      of: ({ rejected }) => rejected,
    },
  ]);
}
