import { Type } from 'typebox';
import type { Ctx } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { postCallbacks } from '../callbacks/index.ts';
import { listFiringsById } from '../firings/index.ts';
import { postNotifications } from '../notifications/index.ts';
import { type TriggerNotification, wasSwitchedOff } from '../price-plan-triggers/index.ts';
import { alertsInSequence } from './alert.ts';
import { gatherFacts } from './facts.ts';
import { type Notice, noticesOf, SUBJECTS_LISTED } from './notice.ts';
import { findPresent, type PresentTrigger, recallFirings } from './recall-firings.ts';
import { slicesOf } from './slices.ts';
import {
  countRemindedSubjects,
  deleteReminder,
  insertRemindedFirings,
  insertReminders,
  listRemindedFirings,
  lockReminder,
  type RemindedFiring,
  type Reminder,
  setSent,
} from './sql-reminder.ts';

type Reminders = NonNullable<TriggerNotification['reminders']>;

const HOUR_MS = 3_600_000;
const INTERVAL_MS: Readonly<Record<Reminders['interval'], number>> = {
  Hourly: HOUR_MS,
  Daily: 24 * HOUR_MS,
  Weekly: 7 * 24 * HOUR_MS,
};

/** When the reminder of this number is due; the first is number 1. */
const reminderDueAt = (firedAt: Date, { interval }: Reminders, nth: number): Date =>
  new Date(firedAt.getTime() + nth * INTERVAL_MS[interval]);

const FIRINGS_AT_ONCE = 2_000;

interface Sent {
  readonly noticeId: string;
  /** When it was due, even if it is sent late. */
  readonly at: Date;
  readonly occasion: string;
  readonly dedupeKey: string;
}

/** Notifies everyone again of cycles that are still open. Returns whether there are any. */
async function remind(ctx: Ctx, ecpdId: string, present: PresentTrigger, sent: Sent): Promise<boolean> {
  const { occasion, dedupeKey } = sent;
  const subjects = await countRemindedSubjects(ctx.db, ecpdId, sent);
  for (let after = -1; ; ) {
    const rows = await listRemindedFirings(ctx.db, ecpdId, { ...sent, after, limit: FIRINGS_AT_ONCE });
    if (rows.length === 0) break;
    const ids = rows.map(({ firingId }) => firingId);
    const firings = await recallFirings(ctx, ecpdId, ids, present);
    const facts = await gatherFacts(ctx, ecpdId, firings);
    await postCallbacks(ctx, ecpdId, [...alertsInSequence(firings, facts, occasion)].flat());
    if (after === -1 && firings.length > 0) {
      const named = [...new Set(firings.map(({ subject }) => subject))].slice(0, SUBJECTS_LISTED);
      const listed = firings.filter(({ subject }) => named.includes(subject));
      const { trigger } = firings.at(-1)!;
      const unlisted = Math.max(0, subjects - named.length);
      const notice = { trigger, firings: listed, unlisted, occasion, dedupeKey };
      await postNotifications(ctx, ecpdId, noticesOf(notice, facts));
    }
    after = rows.at(-1)!.nth;
  }
  return subjects > 0;
}

/** Switching a trigger off ends its reminders, even if it is switched on again before the next one. */
async function stayedActive({ db }: Ctx, ecpdId: string, noticeId: string): Promise<boolean> {
  const [fired] = await listFiringsById(db, ecpdId, [noticeId]);
  if (fired === undefined) return false;
  const { triggerId, ruleVersion: since } = fired;
  return !(await wasSwitchedOff(db, ecpdId, { triggerId, since }));
}

/**
 * Sends the due reminder if its trigger still exists, is active and wants it, and a cycle that it fired for is still
 * open. Returns when the next one is due. The due time decides, not the present time, so that no reminder is lost while
 * no worker ran.
 */
export async function sendReminder(ctx: Ctx, ecpdId: string, noticeId: string): Promise<Date | undefined> {
  const reminder = await lockReminder(ctx.db, ecpdId, noticeId);
  if (reminder === undefined) return undefined;
  const { triggerId, firedAt, sent } = reminder;
  const present = await findPresent(ctx, ecpdId, triggerId);
  const isWanted =
    present?.active && present.notifies.type === 'PerEvent' && (await stayedActive(ctx, ecpdId, noticeId));
  const reminders = isWanted ? present.notifies.reminders : undefined;
  const nth = sent + 1;
  if (present !== undefined && reminders !== undefined && nth <= reminders.count) {
    const at = reminderDueAt(firedAt, reminders, nth);
    // The interval was made longer.
    if (at > ctx.now()) return at;
    const occasion = `Reminder ${nth} of ${reminders.count}`;
    const dedupeKey = `reminder ${noticeId} ${nth}`;
    if (
      (await remind(ctx, ecpdId, present, { noticeId, at, occasion, dedupeKey })) &&
      nth < reminders.count
    ) {
      await setSent(ctx.db, ecpdId, noticeId, nth);
      return reminderDueAt(firedAt, reminders, nth + 1);
    }
  }
  await deleteReminder(ctx.db, ecpdId, noticeId);
  return undefined;
}

/** The reminder, the note that it was sent and the next due time commit together: each reminder is sent once. */
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

const ROWS_AT_ONCE = 5_000;

interface Scheduled extends Reminder {
  readonly dueAt: Date;
  readonly firings: readonly RemindedFiring[];
}

/** Closed cycles get no reminder: late usage, or a cycle that ends before the first reminder, is notified once. */
function scheduled({ trigger, firings }: Notice): Scheduled[] {
  const { reminders } = trigger.notifies;
  const [first] = firings;
  if (reminders === undefined || first === undefined) return [];
  const { firingId: noticeId, firedAt, triggerId } = first;
  const dueAt = reminderDueAt(firedAt, reminders, 1);
  // The levels of a subject are adjacent, so that a list of the first few subjects has all their levels.
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

/** Called in the transaction of the notification: schedules the reminders for it. */
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
