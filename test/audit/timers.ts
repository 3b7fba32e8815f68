/**
 * All recurring work of a process, by the file that repeats it. Each reports the result of its passes to the health of the
 * process under these names.
 */
export const LOOPS: Readonly<Record<string, readonly string[]>> = {
  'platform/lanes/sweeper.ts': [
    'jobs.claim',
    'jobs.record',
    'callbacks.claim',
    'notifications.claim',
    'jobs.renew',
    'callbacks.renew',
    'notifications.renew',
    'rules.follow',
    'due-work',
    'callbacks.record',
    'notifications.send',
    'network.claim',
    'network.renew',
    'network.carry-out',
    'requests.record',
  ],
  'platform/health/nodes.ts': ['nodes.beat', 'nodes.clock'],
  'platform/sharding/workers.ts': ['workers.check'],
  'platform/db/listen.ts': ['listen'],
  'platform/db/replica-lag.ts': ['replica'],
  'features/callbacks/delivery/lane-worker.ts': ['callbacks.read', 'callbacks.consent'],
  'features/sessions/live-access.ts': ['sessions.record'],
  'features/console/live/live-hub.ts': ['console.live'],
  'features/network-feeds/reporter.ts': ['feeds.report'],
  'features/usage-files/folder-watcher.ts': ['files.take'],
};
/** Work of processes that answer requests only. They do just this and LOOPS_OF_ALL; a worker does everything else. */
export const LOOPS_OF_REQUESTS = ['console.live', 'replica', 'requests.record'];
/** Only if networks send feeds. */
export const LOOPS_OF_FEEDS = ['feeds.report', 'files.take'];
/** Only if the database is distributed. */
export const LOOPS_OF_CLUSTER = ['workers.check'];
export const LOOPS_OF_ALL = ['listen', 'nodes.beat', 'nodes.clock', 'sessions.record'];

/** Files whose timers limit something, wait for a caller who gets the result, or clean up once. */
export const WAITS = [
  'platform/sharding/moves.ts',
  'adapters/callback-http/attempt.ts',
  'adapters/callback-http/connector.ts',
  'adapters/callback-http/origin-pools.ts',
  'adapters/callback-http/resolve-host.ts',
  'adapters/mail-smtp/index.ts',
  'adapters/osmo-hlr/connection.ts',
  'adapters/radius/accounting-server.ts',
  'adapters/radius/exchange.ts',
  'adapters/simulated-network/index.ts',
  'app/embedded-database.ts',
  'app/scenario-process.ts',
  'app/simulator-process.ts',
  'app/simulator.ts',
  'app/host.ts',
  'app/snapshots.ts',
  'embedded-postgres/data-folder.ts',
  'embedded-postgres/databases.ts',
  'embedded-postgres/run-program.ts',
  'embedded-postgres/server-process.ts',
  'embedded-postgres/stop-server.ts',
  'features/callbacks/delivery/recorder.ts',
  'features/injected-faults/inject-faults.ts',
  'features/network/carrying/element-lane.ts',
  'features/usage-files/engine.ts',
  'features/operator/sandbox/move-clock.ts',
  'features/operator/routes-fleet.ts',
  'features/smart-alerts/alert-scheduler.ts',
  'main.ts',
  'platform/clock/clock-mover.ts',
  'platform/clock/clock-walk.ts',
  'platform/db/migrate.ts',
  'platform/db/replica.ts',
  'platform/db/shares.ts',
  'platform/flow-control/fair-slots.ts',
  'platform/flow-control/limits.ts',
  'platform/http/body-stream.ts',
  'platform/http/front.ts',
  'platform/http/unread-bodies.ts',
  'platform/lanes/engine.ts',
  'platform/lanes/leases.ts',
  'platform/lanes/settling.ts',
];
