/** From the ground up: a folder may import the folders before it, and itself. */
export const LAYERS = ['kernel', 'platform', 'features', 'adapters', 'app', 'main.ts'] as const;

/** From the ground up: a feature may import the `index.ts` of the features before it. */
export const FEATURES = [
  'accounts',
  'plans',
  'sessions',
  'callbacks',
  'notifications',
  'devices',
  'firings',
  'usage',
  'consents',
  'locations',
  'location-reports',
  'carrier-requests',
  'device-lifecycle',
  'managed-accounts',
  'sim-secure',
  'plan-change',
  'usage-triggers',
  'price-plan-triggers',
  'billing-summary',
  'device-management',
  'smart-alerts',
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
  /^(platform\/|app\/|main\.ts|features\/sessions\/routes\.ts|features\/(callbacks|notifications)\/delivery\/)/;

/**
 * Tables of another feature that a feature may read: keys of almost everything (an account, a device by its
 * identifier), who pays for whom, and the counters that triggers compare, looked up set by set. Writing them is never
 * allowed.
 */
export const READ_BY_ALL = [
  'profile',
  'account',
  'managed_account',
  'plan',
  'rate_plan_group_account',
  'rate_plan_group_plan',
  'device',
  'device_identifier',
  'usage_account_day',
  'usage_device_month',
];

/** Not tables of the schema: staged by the import for the length of its transaction. */
export const TEMPORARY = /^staged_/;

/** Statements that change rows of several profiles at once, each with the reason. */
export const CROSS_PROFILE_WRITES: Readonly<Record<string, string>> = {
  'features/accounts/fleet-profiles.ts profilesSection':
    'the import of a document, which is taken whole or not at all and is one transaction over its profiles',
};

/**
 * Reads that go from profile to profile along an index, which a distributed database cannot do: each has a second form
 * that it can run (`db.sharded`), and looks for work without locking it.
 */
export const CROSS_PROFILE_WALKS = [
  'features/callbacks/delivery/sql-lane.ts WALKED',
  'features/notifications/delivery/sql-lane.ts WALKED',
  'features/smart-alerts/watching/sql-change.ts WALKED',
  'platform/jobs/sql.ts walkTurns',
];
