import { answerRequest, purgeSummaries } from '../features/billing-summary/jobs.ts';
import { purgeCallbacks, resealListeners } from '../features/callbacks/jobs.ts';
import { purgePastLines, reportAccountConsent, reportDeviceConsents } from '../features/consents/jobs.ts';
import { forgetConsoleSessions } from '../features/console/jobs.ts';
import { sessionJobs } from '../features/data-sessions/jobs.ts';
import { purgeFirings } from '../features/firings/jobs.ts';
import { purgePositions } from '../features/locations/jobs.ts';
import { networkJobs } from '../features/network/jobs.ts';
import { checkListeners, purgeNotifications } from '../features/notifications/jobs.ts';
import { deleteCustomers, finishAccountDeletions } from '../features/operator/jobs.ts';
import { purgeRequestLog } from '../features/request-log/jobs.ts';
import { forgetOldSessions } from '../features/sessions/jobs.ts';
import { forgetReadings, purgeSmartAlerts } from '../features/smart-alerts/jobs.ts';
import { expireActions, purgeActions } from '../features/trigger-actions/jobs.ts';
import { purgeThrottled, remindPeople, sumUpDay } from '../features/trigger-notifications/jobs.ts';
import { purgeUsage } from '../features/usage/jobs.ts';
import { purgeUsageFiles } from '../features/usage-files/jobs.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { JobKind } from '../platform/jobs/job.ts';
import { keepHouse } from '../platform/jobs/purge.ts';
import type { Carrier } from './compose/compose-carrier.ts';
import type { Locations } from './compose/compose-locations.ts';
import type { ComposedNetwork } from './compose/compose-network.ts';
import type { Triggers } from './compose/compose-triggers.ts';

/** Maximum age of calls in the request log. */
const RECORDED_DAYS = 1;

/** All work of the service outside of requests. */
export const jobKinds = (
  {
    retentionDays,
    listenerAlertAfterMs,
    sandbox,
  }: Pick<Settings, 'retentionDays' | 'listenerAlertAfterMs' | 'sandbox'>,
  locations: Pick<Locations, 'jobs'>,
  carrier: Pick<Carrier, 'jobs'>,
  triggers: Pick<Triggers, 'jobs'>,
  lines: ComposedNetwork | undefined,
): readonly JobKind[] => [
  keepHouse(retentionDays),
  forgetOldSessions,
  forgetConsoleSessions,
  purgeCallbacks(retentionDays.delivered),
  resealListeners,
  purgeNotifications(retentionDays.notifications),
  checkListeners(listenerAlertAfterMs, retentionDays.notifications),
  reportAccountConsent,
  reportDeviceConsents,
  ...locations.jobs,
  ...carrier.jobs,
  ...triggers.jobs,
  ...(lines === undefined ? [] : networkJobs(lines)),
  ...sessionJobs(retentionDays),
  deleteCustomers(lines?.network),
  finishAccountDeletions(lines?.network),
  purgePositions(retentionDays),
  purgePastLines(retentionDays),
  purgeSmartAlerts(retentionDays.alerts),
  forgetReadings(retentionDays.readings),
  purgeUsage({ keptDays: retentionDays.usage, byMonth: !sandbox }),
  purgeUsageFiles(retentionDays),
  purgeFirings(retentionDays.usage),
  expireActions,
  purgeActions(retentionDays.usage),
  remindPeople,
  sumUpDay,
  purgeThrottled,
  purgeRequestLog(sandbox ? undefined : RECORDED_DAYS),
  answerRequest,
  purgeSummaries,
];
