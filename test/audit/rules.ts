/** From the ground up: a folder may import the folders before it, and itself. */
export const LAYERS = [
  'embedded-postgres',
  'demo',
  'kernel',
  'platform',
  'features',
  'adapters',
  'app',
  'main.ts',
] as const;

/** From the ground up: a feature may import the `index.ts` of the features before it. */
export const FEATURES = [
  'accounts',
  'plans',
  'sessions',
  'callback-payloads',
  'callbacks',
  'notifications',
  'devices',
  'network',
  'network-feeds',
  'firings',
  'usage',
  'usage-files',
  'consents',
  'locations',
  'data-sessions',
  'location-reports',
  'carrier-requests',
  'device-lifecycle',
  'managed-accounts',
  'sim-secure',
  'plan-change',
  'usage-triggers',
  'price-plan-triggers',
  'trigger-actions',
  'trigger-notifications',
  'trigger-evaluation',
  'billing-summary',
  'device-management',
  'smart-alerts',
  'line-moves',
  'request-log',
  'injected-faults',
  'operator',
  'console',
] as const;

/** What app/ and adapters/ may import from a feature; a neighbouring feature sees `index.ts` only. */
export const PLUGS = ['index.ts', 'routes.ts', 'jobs.ts', 'errors.ts'];

export const LINES_MAX = 300;
export const FILES_PER_FOLDER_MAX = 26;
export const FILES_PER_FEATURE_MAX = 45;
export const README_LINES_MAX = 150;
/** Words that docs/glossary.md replaces: notify and report, check and evaluate, apply. */
export const BANNED_WORDS = /(?<![a-z])(tell|told|judge|judged|weigh|follow)(?![a-z])/i;
export const BANNED_NAMES = /^(utils?|helpers?|common|misc|manager|service|data|info)\.ts$/;

/** Domain time comes from the clock. These files need real time, each for the reason it gives. */
export const REAL_TIME_FILES =
  /^(embedded-postgres\/|platform\/|app\/|main\.ts|features\/sessions\/login-allowance\.ts|features\/(callbacks|notifications)\/delivery\/|features\/network\/(carrying\/|line-network\.ts)|features\/(network-feeds|usage-files)\/|adapters\/network-http\/signed-post\.ts)/;

/**
 * Tables of another feature that a feature may read: general keys (an account, a device by its identifier), who pays for
 * whom, whether a line is connected, and the counters that triggers compare, read set by set. Writing them is never allowed.
 */
export const READ_BY_ALL = [
  'profile',
  'account',
  'account_directory',
  'managed_account',
  'managed_period',
  'plan',
  'rate_plan_group_account',
  'rate_plan_group_plan',
  'device',
  'device_identifier',
  'earlier_owner',
  'left_line',
  'line_change',
  'usage_account_day',
  'usage_device_month',
  'data_session',
];

/** Not tables of the schema: staged by the import for the length of its transaction. */
export const TEMPORARY = /^staged_/;

/** Files with random values that no seed determines, with the reason. */
export const RANDOM_BY_ITSELF: Readonly<Record<string, string>> = {
  'adapters/network-http/index.ts':
    "ids of questions to somebody's own system, which may keep its answers by them",
  'adapters/network-http/position-source.ts':
    "ids of questions to somebody's own system, which may keep its answers by them",
  'app/fill-with-demo.ts': 'ids of a prepared fleet, which no sandbox with a seed copies',
  'app/open-domain.ts': 'the name of a process, known to other processes alone',
  'app/opened-later.ts': 'hands on the source itself, where there is no seed to wait for',
  'app/scenarios.ts': 'the key of a scenario that is played, which opens the operator API',
  'app/simulator.ts': 'the key of the living fleet, which opens the operator API',
  'app/stored-keys.ts': 'the key of the operator API, which protects a sandbox with a seed too',
  'embedded-postgres/cluster.ts': 'the password of the embedded database',
  'embedded-postgres/prepared.ts': 'the password of a prepared database, which each copy changes',
  'embedded-postgres/files.ts': 'names of files that live for a moment',
  'features/usage-files/receive-file.ts': 'names of files that live for a moment',
  'features/sessions/issue-token.ts': 'a key that dies with the process and that nobody hears of',
  'features/sessions/verify-secret.ts': 'a password that nobody has',
  'platform/chance/chance.ts': 'the source itself',
  'platform/crypto/password-hash.ts': 'salts, which nobody sees',
  'platform/crypto/secret-box.ts': 'keys at rest, and numbers that must never come twice under one of them',
  'platform/http/framework-errors.ts': 'the request id of what is no request',
  'platform/lanes/engine.ts': 'leases, which nobody sees',
};

/**
 * Objects that are found or compared by identity, with the reason why that is right. Two objects can have the same content,
 * so values (a cycle, a counter, a line, a rule) are found by a text or a number that names them.
 */
export const BY_IDENTITY: Readonly<Record<string, string>> = {
  'adapters/callback-http/connector.ts: function': 'calls that wait for an end',
  'adapters/callback-http/origin-pools.ts: Attempt': 'requests that wait for a connection',
  'adapters/callback-http/origin-pools.ts: Connection': 'connections',
  'adapters/callback-http/send.ts: AbortSignal': 'a signal',
  'adapters/callback-http/send.ts: Attempt': 'requests under way',
  'adapters/mail-smtp/index.ts: Mail': 'connections',
  'adapters/osmo-hlr/client.ts: CtrlConnection': 'a connection, which another may have followed',
  'adapters/radius/accounting-server.ts: Promise': 'an answer under way',
  'features/data-sessions/session-reading.ts: Life': 'one use of a session id, among all of it',
  'features/data-sessions/session-state.ts: KeptReport': 'one kept report, among all that were read',
  'features/data-sessions/session-taker.ts: Queued':
    'one report that came, which may say the same as another',
  'features/data-sessions/session-taker.ts: ReadonlyMap': 'what was looked up at one time',
  'features/data-sessions/session-taker.ts: Waiting':
    'one report that came, which may say the same as another',
  'features/callbacks/delivery/ended-attempt.ts: LeasedLane':
    'one holding of a lane, each with a token of its own',
  'features/callbacks/delivery/engine.ts: LeasedLane':
    'one holding of a lane, which another may have followed',
  'features/callbacks/delivery/due-queue.ts: DueMessage': 'an attempt that was handed out',
  'features/callbacks/delivery/lane-worker.ts: DueMessage': 'an attempt under way',
  'features/callbacks/delivery/send-pace.ts: function': 'a worker that waits to send on, once',
  'features/callbacks/delivery/silence.ts: Moved': 'an attempt under way',
  'features/callbacks/delivery/sql-attempts.ts: LeasedLane':
    'one holding of a lane, each with a token of its own',
  'features/callbacks/delivery/sql-record-on-cluster.ts: LeasedLane':
    'one holding of a lane, each with a token of its own',
  'features/callbacks/listeners/register-listener.ts: FastifyRequest': 'a request',
  'features/carrier-requests/find-places.ts: FoundPlace': 'a place in a list, which may hold a device twice',
  'features/network/carrying/engine.ts: ElementPool': 'the places of an element, which are made once',
  'features/console/live/live-hub.ts: Client': 'connections',
  'features/console/overview/share-answers.ts: Promise': 'an answer under way',
  'features/operator/audit-calls.ts: FastifyRequest': 'a request',
  'features/smart-alerts/write-readings.ts: Readonly': 'whether anything was put in its place',
  'platform/db/listen.ts: Client': 'a connection, which another may have followed',
  'platform/db/shared-connections.ts: Promise': 'a connection, which another may have followed',
  'platform/db/shares.ts: Waiter': 'a caller who waits',
  'platform/db/transactions.ts: PoolClient': 'connections',
  'embedded-postgres/data-folder.ts: DatabaseSync': 'open files',
  'platform/flow-control/fair-slots.ts: Waiter': 'a caller who waits',
  'platform/http/front.ts: ServerResponse': 'answers that are under way',
  'platform/http/unread-bodies.ts: ServerResponse': 'answers that are under way',
  'platform/http/unread-bodies.ts: Socket': 'connections',
  'platform/http/head-requests.ts: IncomingMessage': 'the request that asked for HEAD',
  'platform/http/schema-compilers.ts: object': 'a schema, which is compiled once',
  'platform/lanes/engine.ts: Held': 'one holding of a lane, which another may have followed',
  'platform/lanes/engine.ts: Leased': 'one holding of a lane, which another may have followed',
  'platform/lanes/engine.ts: P': 'the pools of this process',
  'platform/lanes/next-lanes.ts: P': 'the pools of this process',
  'platform/lanes/places.ts: P': 'the pools of this process',
  'platform/lanes/settling.ts: function': 'who waits',
  'platform/telemetry/tracing/trace-requests.ts: Tracing': 'the one that traces nothing',
};
