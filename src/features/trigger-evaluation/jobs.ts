import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteInBatches } from '../../platform/jobs/purge.ts';
import { closeCycles } from './closings/close-cycles.ts';
import { CLOSE_CYCLES, closeAt } from './closings/schedule.ts';
import { deleteDone, listProfilesWithDue } from './closings/sql-closing.ts';
import type { ApplyFirings } from './fire-triggers.ts';
import { REFRESH_LEVELS, refreshAllLevels } from './levels/refresh-levels.ts';

const HOUR_MS = 3_600_000;
const DONE_KEPT_MS = 7 * 24 * HOUR_MS;
const BATCH = 5_000;

/** Runs when cycles of a profile close. */
export const closeCyclesJob = (apply: ApplyFirings) =>
  defineJob({
    ...CLOSE_CYCLES,
    commits: 'steps',
    async run(ctx, _payload, { ecpdId, signal }) {
      await closeCycles(ctx, ecpdId, apply, signal);
      return undefined;
    },
  });

/** A closing whose job failed for good or was lost is still due: each profile with overdue closings gets a new job. */
export const scheduleOverdue = defineJob({
  kind: 'price-plan-triggers.watch-closings',
  schema: Type.Object({}),
  attemptsMax: 5,
  commits: 'steps',
  everyMs: HOUR_MS,
  async run(ctx, _payload, { signal }) {
    const now = ctx.now();
    for (const ecpdId of await listProfilesWithDue(ctx.db, now)) await closeAt(ctx, ecpdId, [now]);
    const before = new Date(now.getTime() - DONE_KEPT_MS);
    await deleteInBatches(signal, () => deleteDone(ctx.db, before, BATCH));
    return undefined;
  },
});

export const refreshLevelsJob = defineJob({
  ...REFRESH_LEVELS,
  commits: 'steps',
  async run(ctx, _payload, { ecpdId, signal }) {
    await refreshAllLevels(ctx, ecpdId, signal);
    return undefined;
  },
});
