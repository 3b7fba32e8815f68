import { definePurge } from '../../platform/jobs/purge.ts';
import { deleteOldThrottled } from './sql-throttled.ts';

export { remindPeople } from './reminders.ts';
export { sumUpDay } from './summaries.ts';

const DAY_MS = 24 * 3_600_000;
/** No billing month is open for longer than this. */
const THROTTLED_KEPT_DAYS = 62;

export const purgeThrottled = definePurge({
  kind: 'price-plan-triggers.purge-throttled',
  batch: 5_000,
  retentions: [
    {
      keptMs: THROTTLED_KEPT_DAYS * DAY_MS,
      deleteBefore: (db, before, limit) => deleteOldThrottled(db, before.toISOString().slice(0, 10), limit),
    },
  ],
});
