import type { Cycle, CycleDays, LocalDay } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { Timeliness } from './ledger.ts';

/** Which cycle a day of an account is counted in. */
export interface DayInCycle extends CycleDays {
  readonly accountName: string;
  readonly day: LocalDay;
  readonly cycle: Cycle;
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  readonly timeliness: Timeliness;
}

/** Made once for each connection: a table for each batch would fill the catalogue. */
export async function prepareStaging(db: Db): Promise<void> {
  await db.exec(sql`
    create temporary table if not exists staged_usage_record (nth bigint not null, record_id text collate "C" not null,
      account_name text not null, device_id uuid not null, plan_code text not null, day date not null, bytes bigint not null)
    on commit delete rows`);
  await db.exec(sql`
    create temporary table if not exists staged_usage_change (account_name text not null, device_id uuid, plan_code text,
      cycle text not null, from_day date not null, to_day date not null, opens_at timestamptz not null,
      closes_at timestamptz not null, timeliness text not null, before_bytes bigint not null, after_bytes bigint not null)
    on commit delete rows`);
}

/** Bytes of a row `m` of usage_device_month on the days from `d.from_day` to before `d.to_day`. */
export const BYTES_IN_CYCLE = trusted(
  Array.from({ length: 31 }, (_, i) => i + 1)
    .map(
      (n) =>
        `case when ${n} between d.from_day - m.month + 1 and d.to_day - m.month then m.day_bytes[${n}] else 0 end`,
    )
    .join(' + '),
);

/** The planner knows nothing of a temporary table: without this it would compare thousands of rows pair by pair. */
export async function analyzeRecords(db: Db): Promise<void> {
  await db.exec(sql`analyze staged_usage_record`);
}

export async function analyzeChanges(db: Db): Promise<void> {
  await db.exec(sql`analyze staged_usage_change`);
}

/** The counters that the staged records have changed, by cycle, before and after. */
export const stageChanges = (db: Db, ecpdId: string, days: readonly DayInCycle[]) =>
  db.exec(
    unprepared(sql`
    with in_cycle as (
      select r.account_name, r.device_id, r.plan_code, k.cycle, k.from_day, k.to_day, k.opens_at, k.closes_at, k.timeliness,
        sum(r.bytes)::bigint as bytes
      from staged_usage_record r
      join unnest(${days.map((d) => d.accountName)}::text[], ${days.map((d) => d.day)}::date[],
          ${days.map((d) => d.cycle)}::text[], ${days.map((d) => d.from)}::date[], ${days.map((d) => d.to)}::date[],
          ${days.map((d) => new Date(d.opensAtMs))}::timestamptz[],
          ${days.map((d) => new Date(d.closesAtMs))}::timestamptz[], ${days.map((d) => d.timeliness)}::text[])
        as k (account_name, day, cycle, from_day, to_day, opens_at, closes_at, timeliness)
        on k.account_name = r.account_name and k.day = r.day
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9),
    of_devices as (
      select d.*, (
        select sum(${BYTES_IN_CYCLE})::bigint from usage_device_month m
        where m.ecpd_id = ${ecpdId} and m.account_name = d.account_name and m.device_id = d.device_id
          and m.month in (date_trunc('month', d.from_day)::date, date_trunc('month', d.to_day - 1)::date)
          and m.plan_code = d.plan_code) as total
      from in_cycle d),
    of_accounts as (
      select d.*, (
        select sum(c.bytes)::bigint from usage_account_day c
        where c.ecpd_id = ${ecpdId} and c.account_name = d.account_name and c.day >= d.from_day and c.day < d.to_day
          and (d.plan_code is null or c.plan_code = d.plan_code)) as total
      from (
        select account_name, null::uuid as device_id, plan_code, cycle, from_day, to_day, opens_at, closes_at,
          timeliness, sum(bytes)::bigint as bytes
        from in_cycle group by grouping sets
          ((account_name, plan_code, cycle, from_day, to_day, opens_at, closes_at, timeliness),
           (account_name, cycle, from_day, to_day, opens_at, closes_at, timeliness))) d)
    insert into staged_usage_change (account_name, device_id, plan_code, cycle, from_day, to_day, opens_at, closes_at,
      timeliness, before_bytes, after_bytes)
    select account_name, device_id, plan_code, cycle, from_day, to_day, opens_at, closes_at, timeliness, total - bytes,
      total
    from (select * from of_devices union all select * from of_accounts) changed`),
  );
