import { Type } from 'typebox';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { sendSummary } from './send-summary.ts';

/** The messages and the end of the day's entries commit together: a day is told once, however late. */
export const sumUpDay = defineJob({
  kind: 'price-plan-triggers.sum-up',
  schema: Type.Object({ triggerId: Type.String(), day: Type.String() }),
  attemptsMax: 10,
  commits: 'transaction',
  async run(ctx, summary, { ecpdId }) {
    await sendSummary(ctx, ecpdId, summary);
    return undefined;
  },
});
