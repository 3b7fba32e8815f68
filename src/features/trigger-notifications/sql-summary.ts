import type { LocalDay } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

/** Adding to a day and summarising it wait for each other, so that no entry misses its summary. Many may add at once. */
export async function shareSummaries(db: Db, ecpdId: string, triggerIds: readonly string[]): Promise<void> {
  const ids = plainArray(triggerIds);
  await db.exec(sql`
    insert into price_plan_summary (ecpd_id, trigger_id)
    select p.ecpd_id, id from profile p cross join unnest(${ids}::uuid[]) id where p.ecpd_id = ${ecpdId}
    order by id on conflict do nothing`);
  await db.exec(sql`
    select 1 from price_plan_summary where ecpd_id = ${ecpdId} and trigger_id = any(${ids}::uuid[])
    order by trigger_id for key share`);
}

export const holdSummary = (db: Db, ecpdId: string, triggerId: string) =>
  db.exec(sql`
    select 1 from price_plan_summary where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} for update`);

/** For a deleted trigger, to which nothing is added any more. */
export const deleteSummary = (db: Db, ecpdId: string, triggerId: string) =>
  db.exec(sql`delete from price_plan_summary where ecpd_id = ${ecpdId} and trigger_id = ${triggerId}`);

interface SummaryEntry {
  readonly triggerId: string;
  readonly day: LocalDay;
  readonly firingId: string;
  readonly accountName: string;
  readonly subject: string;
}

export const insertEntries = (db: Db, ecpdId: string, entries: readonly SummaryEntry[]) =>
  db.exec(sql`
    with new as materialized (
      select nextval('price_plan_summary_entry_nth_seq') as nth, e.*
      from unnest(${plainArray(entries.map((e) => e.triggerId))}::uuid[], ${plainArray(entries.map((e) => e.day))}::date[],
        ${plainArray(entries.map((e) => e.firingId))}::uuid[], ${entries.map((e) => e.accountName)}::text[],
        ${entries.map((e) => e.subject)}::text[]) as e (trigger_id, day, firing_id, account_name, subject)),
    entered as (
      insert into price_plan_summary_entry (ecpd_id, nth, trigger_id, day, firing_id, account_name, subject)
      overriding system value
      select p.ecpd_id, e.* from new e join profile p on p.ecpd_id = ${ecpdId})
    select 1`);

/** The firings of a trigger on a day. */
export interface SummaryKey {
  readonly triggerId: string;
  readonly day: LocalDay;
}

/** The number of subjects, and the first firings in order. */
interface Counted {
  readonly subjects: number;
  readonly firingIds: readonly string[];
}

export const countEntries = (db: Db, ecpdId: string, { triggerId, day }: SummaryKey, listed: number) =>
  db.one<Counted>(sql`
    select count(distinct subject)::int as subjects,
      array(select firing_id from price_plan_summary_entry
        where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} and day = ${day} order by nth limit ${listed}) as "firingIds"
    from price_plan_summary_entry where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} and day = ${day}`);

/** Counts the entries of each account, page by page. */
export const countEntriesByAccount = (
  db: Db,
  ecpdId: string,
  { triggerId, day }: SummaryKey,
  { after, listed, limit }: { readonly after: string; readonly listed: number; readonly limit: number },
) =>
  db.many<Counted & { accountName: string }>(sql`
    select account_name as "accountName", count(distinct subject)::int as subjects,
      array(select e.firing_id from price_plan_summary_entry e
        where e.ecpd_id = ${ecpdId} and e.trigger_id = ${triggerId} and e.day = ${day} and e.account_name = c.account_name
        order by e.nth limit ${listed}) as "firingIds"
    from price_plan_summary_entry c
    where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} and day = ${day} and account_name > ${after}
    group by account_name order by account_name limit ${limit}`);

export const deleteEntries = (db: Db, ecpdId: string, { triggerId, day }: SummaryKey) =>
  db.exec(sql`
    delete from price_plan_summary_entry where ecpd_id = ${ecpdId} and trigger_id = ${triggerId} and day = ${day}`);
