/** Statements that change rows of several profiles at once, each with the reason. */
export const CROSS_PROFILE_WRITES: Readonly<Record<string, string>> = {};

/**
 * Reads that step from profile to profile along an index, which a distributed database cannot do. Each has a second form
 * for it (`db.sharded`), and finds work without locking it.
 */
export const CROSS_PROFILE_WALKS = [
  'features/callbacks/delivery/sql-lane.ts WALKED',
  'features/device-management/sql-rule-change.ts WALKED',
  'features/network/carrying/sql-lane.ts WALKED',
  'features/notifications/delivery/sql-lane.ts WALKED',
  'platform/jobs/sql.ts walkTurns',
];

/** Inserts whose rows a server of a distributed database would number on its own, with the reason why no server does. */
export const COUNTED_ON_ONE_SERVER: Readonly<Record<string, string>> = {
  'features/usage/sql-feed.ts placeBatch': 'has another form for a distributed database',
};

const LOOKS_FOR_WORK = 'looks for work in all profiles; taking it is a statement of one';
const LOOKS_FOR_OLD = 'looks for what is old in all profiles; each deletion is a statement of one';
const COUNTS = 'counts over all profiles, for metrics or for when to wake up';
const FINDS_PROFILE = 'is asked by a name or an id before the profile is known, or for those of one user';
const IMPORTS = 'the import, whose document is of any number of profiles';
const FOLLOWS_LINE =
  'follows a line through its owners, who may be of several profiles; each write is a statement of one';
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
  'features/callbacks/delivery/sql-lane.ts listLanesWithoutListener': LOOKS_FOR_WORK,
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
  'features/consents/sql-past-line.ts deleteOldLines': LOOKS_FOR_OLD,
  'features/consents/sql-past-line.ts listEarlierLines': FOLLOWS_LINE,
  'features/consents/sql-past-line.ts listProfilesBefore': FOLLOWS_LINE,
  'features/consents/sql-past-line.ts listWithEarlier': FOLLOWS_LINE,
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
  'features/devices/sql-history.ts deleteOldLeftLines': LOOKS_FOR_OLD,
  'features/devices/sql.ts findPresentOnPlans': FINDS_PROFILE,
  'features/devices/sql.ts listPresentPlans': FINDS_PROFILE,
  'features/firings/sql.ts deleteOldFirings': LOOKS_FOR_OLD,
  'features/firings/sql.ts listCausedFirings': SHOWS_ALL,
  'features/location-reports/sql-awaited.ts listAccountsUnasked': LOOKS_FOR_WORK,
  'features/location-reports/sql-awaited.ts listLongAbsent': LOOKS_FOR_WORK,
  'features/location-reports/sql-request.ts deleteExpired': LOOKS_FOR_OLD,
  'features/data-sessions/sql-ageing.ts deleteClosed': LOOKS_FOR_OLD,
  'features/data-sessions/sql-ageing.ts listProfilesWithSilent': LOOKS_FOR_WORK,
  'features/data-sessions/sql-doubt.ts deleteDoubts': LOOKS_FOR_OLD,
  'features/data-sessions/sql-restart.ts listProfilesOn': LOOKS_FOR_WORK,
  'features/data-sessions/sql-restart.ts listReportedAround': LOOKS_FOR_WORK,
  'features/data-sessions/sql-session.ts listInOtherProfiles': FINDS_PROFILE,
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
  'features/price-plan-triggers/sql-list.ts listProfilesComparing': LOOKS_FOR_WORK,
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
  'platform/jobs/sql-list.ts findFirstWaiting': LOOKS_FOR_WORK,
  'platform/jobs/sql-list.ts listCausedJobs': SHOWS_ALL,
  'platform/jobs/sql-list.ts retryJob': FINDS_PROFILE,
  'platform/jobs/sql.ts walkTurns': LOOKS_FOR_WORK,
};

/** The reads among these whose tables are not tied to each other by the profile, with what a distributed database does. */
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
