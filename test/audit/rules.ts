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
export const BANNED_NAMES = /^(utils?|helpers?|common|misc|manager|service|data|info)\.ts$/;

/** Domain time comes from the clock; these are the places that need real time, each for a reason it gives. */
export const REAL_TIME_FILES =
  /^(embedded-postgres\/|platform\/|app\/|main\.ts|features\/sessions\/routes\.ts|features\/(callbacks|notifications)\/delivery\/|features\/network\/(carrying\/|line-network\.ts)|features\/(network-feeds|usage-files)\/|adapters\/network-http\/signed-post\.ts)/;

/**
 * Tables of another feature that a feature may read: keys of almost everything (an account, a device by its
 * identifier), who pays for whom, whether a line is connected, and the counters that triggers compare, looked up set by set. Writing them is never
 * allowed.
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
  'line_change',
  'usage_account_day',
  'usage_device_month',
  'data_session',
];

/** Not tables of the schema: staged by the import for the length of its transaction. */
export const TEMPORARY = /^staged_/;

/** Statements that change rows of several profiles at once, each with the reason. */
export const CROSS_PROFILE_WRITES: Readonly<Record<string, string>> = {};

/**
 * Reads that go from profile to profile along an index, which a distributed database cannot do: each has a second form
 * that it can run (`db.sharded`), and looks for work without locking it.
 */
export const CROSS_PROFILE_WALKS = [
  'features/callbacks/delivery/sql-lane.ts WALKED',
  'features/device-management/sql-rule-change.ts WALKED',
  'features/network/carrying/sql-lane.ts WALKED',
  'features/notifications/delivery/sql-lane.ts WALKED',
  'platform/jobs/sql.ts walkTurns',
];

/** Inserts whose rows a server of a distributed database would number by itself, with why none does. */
export const COUNTED_ON_ONE_SERVER: Readonly<Record<string, string>> = {
  'features/usage/sql-feed.ts placeBatch': 'has another form for a distributed database',
};

const LOOKS_FOR_WORK = 'looks for work in all profiles; taking it is a statement of one';
const LOOKS_FOR_OLD = 'looks for what is old in all profiles; each deletion is a statement of one';
const COUNTS = 'counts over all profiles, for metrics or for when to wake up';
const FINDS_PROFILE = 'is asked by a name or an id before the profile is known, or for those of one user';
const IMPORTS = 'the import, whose document is of any number of profiles';
const IS_EMPTY = 'asks, before a start, whether anything is there at all';
const SHOWS_ALL = 'is for the operator, who sees all profiles, or for an export';

/** Reads with a table that no parameter ties to one profile, each with the reason. None of them locks or changes a row. */
export const CROSS_PROFILE_READS: Readonly<Record<string, string>> = {
  'app/starting-clock.ts beginAt': IS_EMPTY,
  'features/accounts/fleet-managed-accounts.ts managedAccountsSection': SHOWS_ALL,
  'features/accounts/sql.ts listCustomers': SHOWS_ALL,
  'features/billing-summary/sql-request.ts deleteExpired': LOOKS_FOR_OLD,
  'features/callbacks/delivery/health.ts countWaiting': COUNTS,
  'features/callbacks/delivery/health.ts listFailing': LOOKS_FOR_WORK,
  'features/callbacks/delivery/sql-lane.ts gather': LOOKS_FOR_WORK,
  'features/callbacks/delivery/sql-lane.ts WALKED': LOOKS_FOR_WORK,
  'features/callbacks/delivery/sql-lane.ts listLanes': LOOKS_FOR_WORK,
  'features/callbacks/delivery/sql-lane.ts listLanesOfNobody': LOOKS_FOR_WORK,
  'features/callbacks/delivery/sql-lane.ts WAITING': LOOKS_FOR_WORK,
  'features/callbacks/listeners/sql-sealed.ts countSealed': COUNTS,
  'features/callbacks/listeners/sql-sealed.ts listMissingKeys': COUNTS,
  'features/callbacks/listeners/sql-sealed.ts listProfilesToReseal': LOOKS_FOR_WORK,
  'features/callbacks/messages/delivery-log.ts findDeliveries': SHOWS_ALL,
  'features/callbacks/messages/delivery-log.ts listCausedCallbacks': SHOWS_ALL,
  'features/callbacks/messages/sql-message.ts listAccountsOfRequest': FINDS_PROFILE,
  'features/callbacks/messages/sql-purge.ts listOldMessages': LOOKS_FOR_OLD,
  'features/carrier-requests/sql-request.ts deleteExpired': LOOKS_FOR_OLD,
  'features/consents/fleet/fleet-consents.ts ACCOUNT_LEVELS': SHOWS_ALL,
  'features/console/session/viewed-accounts.ts listViewedAccounts': SHOWS_ALL,
  'features/device-lifecycle/sql-suspension.ts deleteEndedSuspensions': LOOKS_FOR_OLD,
  'features/device-lifecycle/sql-suspension.ts listOverdueAccounts': LOOKS_FOR_WORK,
  'features/device-management/sql-rule-change.ts gather': LOOKS_FOR_WORK,
  'features/device-management/sql-rule-change.ts WALKED': LOOKS_FOR_WORK,
  'platform/context/audit.ts deleteAuditBefore': LOOKS_FOR_OLD,
  'platform/context/audit.ts pageOf': SHOWS_ALL,
  'features/device-management/sql-rule-change.ts countRuleChanges': COUNTS,
  'features/device-management/sql-rule-change.ts hasRuleChanges': LOOKS_FOR_WORK,
  'features/devices/sql-name.ts listNamesOfDevices': SHOWS_ALL,
  'features/devices/sql-merge.ts listRecordIdConflicts': IMPORTS,
  'features/devices/sql-plan.ts countDevicesOnPlan': SHOWS_ALL,
  'features/devices/sql-simulation.ts listOrderSimulationsByImsi': FINDS_PROFILE,
  'features/network/carrying/sql-lane.ts OPEN_ORDERS': LOOKS_FOR_WORK,
  'features/network/carrying/sql-lane.ts WALKED': LOOKS_FOR_WORK,
  'features/network/carrying/sql-lane.ts findOrder': FINDS_PROFILE,
  'features/network/carrying/sql-lane.ts gather': LOOKS_FOR_WORK,
  'features/network/carrying/sql-lane.ts listDueLanes': LOOKS_FOR_WORK,
  'features/network/sql-difference.ts countDifferences': COUNTS,
  'features/network/sql-difference.ts listDifferences': SHOWS_ALL,
  'features/network/sql-element.ts listProfilesWaiting': LOOKS_FOR_WORK,
  'features/network/sql-element.ts measureBacklog': COUNTS,
  'features/network/sql-element.ts measureDone': COUNTS,
  'features/network/sql-order.ts deleteClosed': LOOKS_FOR_OLD,
  'features/network/sql-progress.ts countLeft': SHOWS_ALL,
  'features/network/sql-progress.ts countRepairing': SHOWS_ALL,
  'features/network/sql-progress.ts deleteChecks': LOOKS_FOR_OLD,
  'features/network/sql-progress.ts findProfileOfCheck': FINDS_PROFILE,
  'features/network/sql-progress.ts listSilent': SHOWS_ALL,
  'features/network/sql-progress.ts sumCheck': SHOWS_ALL,
  'features/devices/sql-history.ts deleteOldLineChanges': LOOKS_FOR_OLD,
  'features/devices/sql.ts findPresentOnPlans': FINDS_PROFILE,
  'features/devices/sql.ts listPresentPlans': FINDS_PROFILE,
  'features/firings/sql.ts deleteOldFirings': LOOKS_FOR_OLD,
  'features/firings/sql.ts listCausedFirings': SHOWS_ALL,
  'features/location-reports/sql-awaited.ts listAccountsUnasked': LOOKS_FOR_WORK,
  'features/location-reports/sql-awaited.ts listLongAbsent': LOOKS_FOR_WORK,
  'features/location-reports/sql-request.ts deleteExpired': LOOKS_FOR_OLD,
  'features/data-sessions/sql-ageing.ts deleteClosed': LOOKS_FOR_OLD,
  'features/data-sessions/sql-ageing.ts listProfilesWithSilent': LOOKS_FOR_WORK,
  'features/data-sessions/sql-restart.ts listProfilesOn': LOOKS_FOR_WORK,
  'features/data-sessions/sql-session.ts listElsewhere': FINDS_PROFILE,
  'features/locations/sql-history.ts deleteOldPositions': LOOKS_FOR_OLD,
  'features/locations/sql-history.ts deleteOldHistory': LOOKS_FOR_OLD,
  'features/notifications/delivery/sql-lane.ts gather': LOOKS_FOR_WORK,
  'features/notifications/delivery/sql-lane.ts WALKED': LOOKS_FOR_WORK,
  'features/notifications/delivery/sql-lane.ts listDueLanes': LOOKS_FOR_WORK,
  'features/notifications/delivery/sql-lane.ts WAITING': LOOKS_FOR_WORK,
  'features/notifications/delivery/sql-lane.ts measureBacklog': COUNTS,
  'features/notifications/sql-notification.ts deleteOldNotifications': LOOKS_FOR_OLD,
  'features/notifications/sql-notification.ts listCausedNotifications': SHOWS_ALL,
  'features/notifications/sql-notification.ts listNotifications': SHOWS_ALL,
  'features/request-log/sql-call.ts deleteBeyond': LOOKS_FOR_OLD,
  'features/request-log/sql-call.ts deleteOld': LOOKS_FOR_OLD,
  'features/request-log/sql-call.ts findNewestCall': SHOWS_ALL,
  'features/request-log/sql-call.ts listCalls': SHOWS_ALL,
  'features/request-log/sql-recording.ts deleteEndedRecordings': LOOKS_FOR_OLD,
  'features/request-log/sql-recording.ts listRecordings': FINDS_PROFILE,
  'features/plans/fleet-rate-plan-groups.ts ratePlanGroupsSection': SHOWS_ALL,
  'features/plans/sql.ts countGroupsWithPlan': SHOWS_ALL,
  'features/plans/sql.ts findRatePlanGroups': FINDS_PROFILE,
  'features/trigger-actions/sql-action.ts deleteOldActions': LOOKS_FOR_OLD,
  'features/trigger-actions/sql-approval.ts findFiredBy': FINDS_PROFILE,
  'features/price-plan-triggers/sql-version.ts findProfileOfVersions': FINDS_PROFILE,
  'features/trigger-actions/sql-approval.ts listProfilesOfExpired': LOOKS_FOR_WORK,
  'features/trigger-actions/sql-firing-action.ts listActionsOf': FINDS_PROFILE,
  'features/trigger-actions/sql-action.ts deleteOldChainLines': LOOKS_FOR_OLD,
  'features/trigger-evaluation/sql-counters.ts listComparedCycles': COUNTS,
  'features/trigger-evaluation/closings/sql-closing.ts deleteDone': LOOKS_FOR_OLD,
  'features/trigger-evaluation/closings/sql-closing.ts listProfilesWithDue': LOOKS_FOR_WORK,
  'features/price-plan-triggers/sql-list.ts countTriggersNaming': SHOWS_ALL,
  'features/usage/sums/sql-bill.ts countAccountsBilledBy': SHOWS_ALL,
  'features/price-plan-triggers/sql-list.ts listProfilesWithTriggers': LOOKS_FOR_WORK,
  'features/price-plan-triggers/sql-list.ts listTriggers': FINDS_PROFILE,
  'features/price-plan-triggers/sql.ts findProfileOf': FINDS_PROFILE,
  'features/price-plan-triggers/sql.ts visibleTo': FINDS_PROFILE,
  'features/trigger-notifications/sql-throttled.ts deleteOldThrottled': LOOKS_FOR_OLD,
  'features/smart-alerts/sql-alert.ts deleteOldAlerts': LOOKS_FOR_OLD,
  'features/smart-alerts/sql-alert.ts listAlerts': SHOWS_ALL,
  'features/smart-alerts/sql-reading.ts listKeptReadings': LOOKS_FOR_OLD,
  'features/smart-alerts/sql-state.ts countDue': COUNTS,
  'features/smart-alerts/sql-state.ts findNextDue': COUNTS,
  'features/smart-alerts/sql-state.ts findOldestDue': LOOKS_FOR_WORK,
  'features/smart-alerts/sql-state.ts listProfilesDue': LOOKS_FOR_WORK,
  'features/usage/services/sql-transaction.ts deleteOldTransactions': LOOKS_FOR_OLD,
  'features/usage/sql-feed.ts listLedgerAccounts': FINDS_PROFILE,
  'features/usage/sql-ledger.ts deleteOldBatches': LOOKS_FOR_OLD,
  'features/usage/sql-ledger.ts listProfilesWithUsageBefore': LOOKS_FOR_OLD,
  'platform/fleet-document/verify-entries.ts byProfile': IMPORTS,
  'platform/jobs/sql.ts countUnfinished': COUNTS,
  'platform/jobs/sql.ts deleteFinishedBefore': LOOKS_FOR_OLD,
  'platform/jobs/sql.ts findNextDue': COUNTS,
  'platform/jobs/sql.ts hasUnfinished': LOOKS_FOR_WORK,
  'platform/jobs/sql.ts gatherTurns': LOOKS_FOR_WORK,
  'platform/jobs/sql.ts listAbandoned': LOOKS_FOR_WORK,
  'platform/jobs/sql.ts listInOrder': LOOKS_FOR_WORK,
  'platform/jobs/sql.ts listOldestDue': COUNTS,
  'platform/jobs/sql-list.ts listCausedJobs': SHOWS_ALL,
  'platform/jobs/sql-list.ts retryJob': FINDS_PROFILE,
  'platform/jobs/sql.ts walkTurns': LOOKS_FOR_WORK,
};

/** Places that make something up by themselves, which no seed shall reach, with the reason. */
export const RANDOM_BY_ITSELF: Readonly<Record<string, string>> = {
  'adapters/network-http/index.ts':
    "ids of questions to somebody's own system, which may keep its answers by them",
  'adapters/network-http/position-source.ts':
    "ids of questions to somebody's own system, which may keep its answers by them",
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

/** Of these the reads whose tables are not tied to each other by the profile either, with what a distributed database does. */
export const READS_IN_PARTS: Readonly<Record<string, string>> = {
  'features/plans/fleet-rate-plan-groups.ts ratePlanGroupsSection':
    'plans and accounts are collected by profile and group where they are, then joined by both',
  'features/price-plan-triggers/sql-list.ts listTriggers':
    'the profiles of which the viewer has all accounts are found first, by themselves',
  'features/price-plan-triggers/sql.ts findProfileOf':
    'the profiles of which the viewer has all accounts are found first, by themselves',
  'features/trigger-evaluation/sql-counters.ts listComparedCycles':
    'the cycles of each profile are found where they are, then joined with its accounts; only a sandbox asks',
};

/**
 * Objects that are found or compared by identity, with why that is right. Two objects can say the same, so whatever is
 * meant as a value (a cycle, a counter, a line, a rule) is found by a text or a number that names it.
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
  'platform/http/schema-compilers.ts: object': 'a schema, which is compiled once',
  'platform/lanes/engine.ts: Held': 'one holding of a lane, which another may have followed',
  'platform/lanes/engine.ts: Leased': 'one holding of a lane, which another may have followed',
  'platform/lanes/engine.ts: P': 'the pools of this process',
  'platform/lanes/settling.ts: function': 'who waits',
  'platform/telemetry/tracing/trace-requests.ts: Tracing': 'the one that traces nothing',
};
