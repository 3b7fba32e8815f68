import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';

/** When the cycles of an account that are open end, however many triggers wait for it. */
export interface OpenEnd {
  readonly accountName: string;
  readonly to: LocalDay;
  readonly closesAt: Date;
}

/** Of so many accounts after the one that is named. */
export const listOpenEnds = (db: Db, ecpdId: string, after: string, accounts: number) =>
  db.many<OpenEnd & { timeZone: string }>(sql`
    select distinct a.account_name as "accountName", c.to_day as "to", c.closes_at as "closesAt", a.time_zone as "timeZone"
    from (
      select account_name, time_zone from account o
      where ecpd_id = ${ecpdId} and account_name > ${after} and exists (
        select from price_plan_closing where ecpd_id = ${ecpdId} and account_name = o.account_name and done_at is null)
      order by account_name limit ${accounts}) a
    join price_plan_closing c on c.ecpd_id = ${ecpdId} and c.account_name = a.account_name and c.done_at is null
    order by 1, 2, 3`);

export const moveEnds = (db: Db, ecpdId: string, ends: readonly OpenEnd[]) =>
  db.exec(sql`
    update price_plan_closing c set closes_at = e.closes_at
    from unnest(${ends.map((end) => end.accountName)}::text[], ${plainArray(ends.map((end) => end.to))}::date[],
      ${plainArray(ends.map((end) => end.closesAt))}::timestamptz[]) as e (account_name, to_day, closes_at)
    where c.ecpd_id = ${ecpdId} and c.account_name = e.account_name and c.to_day = e.to_day and c.done_at is null`);
