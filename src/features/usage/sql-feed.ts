import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { joinSql, sql, unprepared } from '../../platform/db/sql.ts';
import type { LedgerAccount, LedgerRecord } from './ledger.ts';
import type { LineMonth } from './line-months.ts';
import { lastMove } from './moving/sql-seen-moves.ts';
import { type AccountDay, BILL_DAYS, BILL_DAYS_FOUND, type BillDay, dayElements } from './sql-counters.ts';
import type { MonthDays } from './usage-cycle.ts';

export const listLedgerAccounts = (db: Db, accountNames: readonly string[]) =>
  db.many<LedgerAccount>(sql`
    select a.ecpd_id as "ecpdId", a.account_name as "accountName", a.time_zone as "timeZone",
      a.bill_cycle_day as "billCycleDay", s.starts_on as "startsOn", ${lastMove(sql`a.ecpd_id`)} as "lastMove"
    from account a left join usage_ledger_start s on s.ecpd_id = a.ecpd_id
    where a.account_name = any(${accountNames}::text[])`);

/** Many feeds of one account queue at its counters: waiting slows their senders down, giving up would break them off. */
export const waitForOthers = (db: Db) => db.exec(sql`set local lock_timeout = '50s'`);

/** Those that still exist, and will until this transaction has ended; `lastMove` is what plans must have been looked up after. */
export const lockAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.many<{ accountName: string; lastMove: bigint }>(sql`
    select a.account_name as "accountName", ${lastMove(sql`${ecpdId}`)} as "lastMove" from account a
    where a.ecpd_id = ${ecpdId} and a.account_name = any(${accountNames}::text[]) order by a.account_name for key share of a`);

/** Against others who hold them so, until this transaction has ended; who only needs them to exist is not held up. */
export const holdAccounts = (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  db.exec(sql`
    select from account
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name for no key update`);

const unreportedLoop = (ecpdId: string) =>
  sql`hashtextextended(${`unreportedLoop usage of ${ecpdId}`}::text, 0)`;

/** Batches that nobody evaluates go side by side; whoever begins to evaluate waits for those that are under way. */
export const shareUnwatched = (db: Db, ecpdId: string) =>
  db.exec(sql`select pg_advisory_xact_lock_shared(${unreportedLoop(ecpdId)})`);

/** For who begins to evaluate a profile's usage: the counters that it finds have been added to by batches that have ended. */
export const waitForUnwatched = (db: Db, ecpdId: string) =>
  db.exec(sql`select pg_advisory_xact_lock(${unreportedLoop(ecpdId)})`);

interface InsertedRecords {
  /** Under which their order is kept. */
  readonly batchNo: bigint;
  /** Null when all were new. */
  readonly duplicates: readonly string[] | null;
  readonly accountDays: readonly AccountDay[];
  readonly billDays: readonly BillDay[];
  /** The counters of lines as they are now, on the days that somebody evaluates. */
  readonly months: readonly LineMonth[];
}

/** Of months and days that somebody evaluates, which are few: what nobody needs is not written out either. */
const monthsFound = (days: readonly MonthDays[]) => sql`
  coalesce((select json_agg(json_build_array(device_id, plan_code, month,
    case month ${joinSql(
      days.map(
        ({ month, first, last }) => sql`when ${month}::date then day_bytes[${first}::int:${last}::int]`,
      ),
      ' ',
    )} end)) from counted), '[]')`;

/**
 * Ledger rows and counters of devices in one statement: a record whose id is there already adds nothing. Rows are locked
 * in the order of their keys, so that two feeds with the same records wait for each other and never in a circle.
 * Planned anew each time: the plan for a batch of ten would compare a batch of thousands pair by pair.
 */
export function insertRecords(
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  { takenAt, days }: { takenAt: Date; days: readonly MonthDays[] },
): Promise<InsertedRecords> {
  const column = (read: (record: LedgerRecord) => string | number | boolean | undefined) =>
    arrayText(records.map(read));
  // A batch has few days.
  const { bytesByDay, addToDays } = dayElements(new Set(records.map(({ day }) => Number(day.slice(8)))));
  return db.one<InsertedRecords>(
    unprepared(sql`
    with input as materialized (
      select * from unnest(${column((r) => r.id)}::text[], ${column((r) => r.accountName)}::text[],
        ${column((r) => r.deviceId)}::uuid[], ${column((r) => r.atMs)}::bigint[], ${column((r) => r.day)}::date[],
        ${column((r) => r.bytes)}::bigint[], ${column((r) => r.apn)}::text[], ${column((r) => r.ratingGroup)}::text[],
        ${column((r) => r.countryCode)}::text[], ${column((r) => r.chargeAmount)}::numeric[],
        ${column((r) => r.serviceName)}::text[], ${column((r) => r.planCode)}::text[],
        ${column((r) => r.delayed)}::boolean[]) with ordinality
        as i (record_id, account_name, device_id, at_ms, day, bytes, apn, rating_group, country_code, charge_amount,
              service_name, plan_code, delayed, nth)),
    batch as materialized (select nextval(pg_get_serial_sequence('usage_batch', 'batch_no')) as batch_no),
    fresh as (
      insert into usage_record (ecpd_id, record_id, account_name, device_id, at, day, bytes, apn, rating_group,
        country_code, charge_amount, service_name, plan_code, delayed, taken_at, batch_no, nth)
      select ${ecpdId}, record_id, account_name, device_id, 'epoch'::timestamptz + at_ms * interval '1 millisecond', day,
        bytes, apn, rating_group, country_code, charge_amount, service_name, plan_code, delayed, ${takenAt}::timestamptz,
        (select batch_no from batch), nth
      from input order by record_id collate "C"
      on conflict (ecpd_id, record_id) do nothing
      returning record_id, account_name, device_id, coalesce(plan_code, '') as plan_code, day, bytes, service_name,
        apn, rating_group, country_code, charge_amount, delayed,
        date_trunc('month', day)::date as month, extract(day from day)::int as day_of_month),
    counted as (
      insert into usage_device_month as c (ecpd_id, account_name, device_id, month, plan_code, day_bytes)
      select ${ecpdId}, account_name, device_id, month, plan_code, ${bytesByDay}
      from fresh where service_name is null
      group by account_name, device_id, month, plan_code order by account_name, device_id, month, plan_code
      on conflict (ecpd_id, account_name, device_id, month, plan_code) do update set ${addToDays}
      returning device_id, plan_code, month, day_bytes),
    ${BILL_DAYS}
    select (select batch_no from batch) as "batchNo",
      case when (select count(*) from fresh) < ${records.length} then array(
        select i.record_id from input i where not exists (select from fresh f where f.record_id = i.record_id))
      end as duplicates,
      coalesce((select json_agg(json_build_object('accountName', account_name, 'day', day, 'planCode', plan_code,
                                                  'bytes', bytes::text))
        from (select account_name, day, plan_code, sum(bytes) as bytes from bill_days
              group by account_name, day, plan_code) days), '[]') as "accountDays",
      ${BILL_DAYS_FOUND} as "billDays",
      ${days.length === 0 ? sql`'[]'::json` : monthsFound(days)} as months`),
  );
}

/** Those that are in the ledger already. */
export const listKnownRecords = async (
  db: Db,
  ecpdId: string,
  ids: readonly string[],
): Promise<readonly string[]> =>
  (
    await db.many<{ id: string }>(sql`
      select record_id as id from usage_record where ecpd_id = ${ecpdId} and record_id = any(${ids}::text[])`)
  ).map(({ id }) => id);

/**
 * Where the batch stands among others, and among changes of lines: the very last thing, while all that it has added to is
 * held, so that of batches that have met anywhere the later one has the later place.
 */
export const placeBatch = (db: Db, ecpdId: string, batchNo: bigint, takenAt: Date) =>
  db.exec(sql`
    insert into usage_batch (ecpd_id, batch_no, taken_at, lines_seen)
    select ${ecpdId}, ${batchNo}, ${takenAt},
      coalesce((select max(change_no) from line_change where ecpd_id = ${ecpdId}), 0)`);
