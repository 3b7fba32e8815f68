import { Type } from 'typebox';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { sendReminder } from './send-reminder.ts';

/** The reminder, that it was sent and the time of the next commit together: each is sent once. */
export const remindPeople = defineJob({
  kind: 'price-plan-triggers.remind',
  schema: Type.Object({ noticeId: Type.String() }),
  attemptsMax: 10,
  commits: 'transaction',
  async run(ctx, { noticeId }, { ecpdId }) {
    const againAt = await sendReminder(ctx, ecpdId, noticeId);
    return againAt === undefined ? undefined : { againAt };
  },
});
