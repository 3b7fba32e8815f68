import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

export interface Reminder {
  readonly noticeId: string;
  readonly triggerId: string;
  readonly firedAt: Date;
}

export interface RemindedFiring {
  readonly noticeId: string;
  readonly nth: number;
  readonly firingId: string;
  readonly accountName: string;
  readonly subject: string;
  readonly endsAt: Date;
}

export const insertReminders = (db: Db, ecpdId: string, reminders: readonly Reminder[]) =>
  db.exec(sql`
    insert into price_plan_reminder (ecpd_id, notice_id, trigger_id, fired_at, sent)
    select p.ecpd_id, r.*, 0 from profile p cross join unnest(${plainArray(reminders.map((r) => r.noticeId))}::uuid[],
      ${plainArray(reminders.map((r) => r.triggerId))}::uuid[],
      ${plainArray(reminders.map((r) => r.firedAt))}::timestamptz[]) r
    where p.ecpd_id = ${ecpdId}`);

export const insertRemindedFirings = (db: Db, ecpdId: string, firings: readonly RemindedFiring[]) =>
  db.exec(sql`
    insert into price_plan_reminder_firing (ecpd_id, notice_id, nth, firing_id, account_name, subject, ends_at)
    select p.ecpd_id, f.* from profile p cross join unnest(${plainArray(firings.map((f) => f.noticeId))}::uuid[],
      ${plainArray(firings.map((f) => f.nth))}::int[], ${plainArray(firings.map((f) => f.firingId))}::uuid[],
      ${firings.map((f) => f.accountName)}::text[], ${firings.map((f) => f.subject)}::text[],
      ${plainArray(firings.map((f) => f.endsAt))}::timestamptz[]) f
    where p.ecpd_id = ${ecpdId}`);

export const lockReminder = (db: Db, ecpdId: string, noticeId: string) =>
  db.maybe<Reminder & { sent: number }>(sql`
    select notice_id as "noticeId", trigger_id as "triggerId", fired_at as "firedAt", sent from price_plan_reminder
    where ecpd_id = ${ecpdId} and notice_id = ${noticeId} for update`);

export const setSent = (db: Db, ecpdId: string, noticeId: string, sent: number) =>
  db.exec(sql`
    update price_plan_reminder set sent = ${sent} where ecpd_id = ${ecpdId} and notice_id = ${noticeId}`);

export const deleteReminder = (db: Db, ecpdId: string, noticeId: string) =>
  db.exec(sql`delete from price_plan_reminder where ecpd_id = ${ecpdId} and notice_id = ${noticeId}`);

interface AskedFor {
  readonly noticeId: string;
  /** Selects firings whose cycle is still open at this time. */
  readonly at: Date;
}

export const countRemindedSubjects = (db: Db, ecpdId: string, { noticeId, at }: AskedFor) =>
  db.value<number>(sql`
    select count(distinct subject)::int as count from price_plan_reminder_firing
    where ecpd_id = ${ecpdId} and notice_id = ${noticeId} and ends_at > ${at}`);

export const listRemindedFirings = (
  db: Db,
  ecpdId: string,
  { noticeId, at, after, limit }: AskedFor & { readonly after: number; readonly limit: number },
) =>
  db.many<{ nth: number; firingId: string }>(sql`
    select nth, firing_id as "firingId" from price_plan_reminder_firing
    where ecpd_id = ${ecpdId} and notice_id = ${noticeId} and ends_at > ${at} and nth > ${after}
    order by nth limit ${limit}`);
