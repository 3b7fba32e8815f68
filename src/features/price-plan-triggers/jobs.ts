import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteOldThrottled } from './telling/throttling/sql-throttled.ts';

export { remindPeople } from './telling/reminders/remind-people.ts';
export { sumUpDay } from './telling/summaries/sum-up-day.ts';

const BATCH = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No billing month is open for longer. */
const THROTTLED_KEPT_DAYS = 62;

export const purgeThrottled = defineJob({
  kind: 'price-plan-triggers.purge-throttled',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run({ db, now }, _payload, { signal }) {
    const before = new Date(now().getTime() - THROTTLED_KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
    while (!signal.aborted && (await deleteOldThrottled(db, before, BATCH)) > 0);
    return undefined;
  },
});
