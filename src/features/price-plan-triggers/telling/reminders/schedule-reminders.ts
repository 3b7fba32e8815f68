import type { Ctx } from '../../../../platform/context/context.ts';
import { enqueueJobs } from '../../../../platform/jobs/enqueue.ts';
import type { Notice } from '../notice.ts';
import { slicesOf } from '../slices.ts';
import { remindPeople } from './remind-people.ts';
import { reminderDueAt } from './reminder.ts';
import {
  insertRemindedFirings,
  insertReminders,
  type RemindedFiring,
  type Reminder,
} from './sql-reminder.ts';

const ROWS_AT_ONCE = 5_000;

interface Scheduled extends Reminder {
  readonly dueAt: Date;
  readonly firings: readonly RemindedFiring[];
}

/** Nobody is reminded of a cycle that has ended: what came late, or ends before the first reminder, is told once. */
function scheduled({ trigger, firings }: Notice): Scheduled[] {
  const { reminders } = trigger.notifies;
  const [first] = firings;
  if (reminders === undefined || first === undefined) return [];
  const { firingId: noticeId, firedAt, triggerId } = first;
  const dueAt = reminderDueAt(firedAt, reminders, 1);
  // The levels of a subject side by side: who lists the first few subjects lists all of their levels.
  const bySubject = [...Map.groupBy(firings, ({ subject }) => subject).values()].flat();
  const reminded = bySubject
    .filter(({ cycle }) => cycle.to > dueAt)
    .map(({ firingId, accountName, subject, cycle }, nth) => ({
      noticeId,
      nth,
      firingId,
      accountName,
      subject,
      endsAt: cycle.to,
    }));
  return reminded.length === 0 ? [] : [{ noticeId, triggerId, firedAt, dueAt, firings: reminded }];
}

/** In the transaction that tells: what people are told of, they are reminded of. */
export async function scheduleReminders(ctx: Ctx, ecpdId: string, notices: readonly Notice[]): Promise<void> {
  const reminders = notices.flatMap(scheduled);
  for (const slice of slicesOf(reminders, ROWS_AT_ONCE)) {
    await insertReminders(ctx.db, ecpdId, slice);
    await enqueueJobs(
      ctx,
      remindPeople,
      ecpdId,
      slice.map(({ noticeId, dueAt }) => ({ payload: { noticeId }, dueAt, key: noticeId })),
    );
  }
  for (const slice of slicesOf(
    reminders.flatMap(({ firings }) => firings),
    ROWS_AT_ONCE,
  ))
    await insertRemindedFirings(ctx.db, ecpdId, slice);
}
