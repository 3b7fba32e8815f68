import { purgeCallbacks } from '../features/callbacks/jobs.ts';
import { purgeNotifications, watchListeners } from '../features/notifications/jobs.ts';
import { forgetOldSessions } from '../features/sessions/jobs.ts';
import type { Settings } from '../platform/config/settings.ts';
import { keepHouse } from '../platform/housekeeping.ts';
import type { JobKind } from '../platform/jobs/job.ts';

/** Everything the service does without being asked by a request. */
export const jobKinds = ({
  retentionDays,
  listenerAlertAfterMs,
}: Pick<Settings, 'retentionDays' | 'listenerAlertAfterMs'>): readonly JobKind[] => [
  keepHouse(retentionDays),
  forgetOldSessions,
  purgeCallbacks(retentionDays.delivered),
  purgeNotifications(retentionDays.notifications),
  watchListeners(listenerAlertAfterMs),
];
