import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { joinSql, type Query, sql, unprepared } from '../../platform/db/sql.ts';
import type { LedgerRecord } from './ledger.ts';
import type { LineMonth } from './line-months.ts';
import { type AccountDay, BILL_DAYS, BILL_DAYS_FOUND, type BillDay, dayElements } from './sql-counters.ts';
import type { MonthDays } from './usage-cycle.ts';

interface InsertedRecords {
  /** Null when all were new. */
  readonly duplicates: readonly string[] | null;
  readonly accountDays: readonly AccountDay[];
  readonly billDays: readonly BillDay[];
  /** The counters of lines as they are now, on the days that somebody evaluates. */
  readonly months: readonly LineMonth[];
}

interface Batch {
  readonly batchNo: bigint;
  readonly takenAt: Date;
  /** Those that somebody evaluates. */
  readonly days: readonly MonthDays[];
}

/** The records as rows `i`. */
function inputOf(records: readonly LedgerRecord[]): Query {
  const column = (read: (record: LedgerRecord) => string | number | boolean | undefined) =>
    arrayText(records.map(read));
  return sql`unnest(${column((r) => r.id)}::text[], ${column((r) => r.accountName)}::text[],
    ${column((r) => r.deviceId)}::uuid[], ${column((r) => r.atMs)}::bigint[], ${column((r) => r.day)}::date[],
    ${column((r) => r.bytes)}::bigint[], ${column((r) => r.apn)}::text[], ${column((r) => r.ratingGroup)}::text[],
    ${column((r) => r.countryCode)}::text[], ${column((r) => r.chargeAmount)}::numeric[],
    ${column((r) => r.serviceName)}::text[], ${column((r) => r.planCode)}::text[],
    ${column((r) => r.delayed)}::boolean[]) with ordinality
    as i (record_id, account_name, device_id, at_ms, day, bytes, apn, rating_group, country_code, charge_amount,
          service_name, plan_code, delayed, nth)`;
}

/** The ids of records `i` that are new to the profile, in the order of their keys. */
const newIds = (ecpdId: Query, from: Query, { batchNo }: Batch): Query => sql`
  insert into usage_record_id (ecpd_id, record_id, day, batch_no)
  select ${ecpdId}, i.record_id, i.day, ${batchNo}::bigint from ${from} order by i.record_id collate "C"
  on conflict (ecpd_id, record_id) do nothing`;

/** Rows of the ledger, of records `i` whose ids were new. */
const ledgerRows = (ecpdId: Query, from: Query, { batchNo, takenAt }: Batch): Query => sql`
  insert into usage_record (ecpd_id, record_id, account_name, device_id, at, day, bytes, apn, rating_group,
    country_code, charge_amount, service_name, plan_code, delayed, taken_at, batch_no, nth)
  select ${ecpdId}, i.record_id, i.account_name, i.device_id, 'epoch'::timestamptz + i.at_ms * interval '1 millisecond', i.day,
    i.bytes, i.apn, i.rating_group, i.country_code, i.charge_amount, i.service_name, i.plan_code, i.delayed,
    ${takenAt}::timestamptz, ${batchNo}::bigint, i.nth
  from ${from}`;

/** What the counters need of a row of the ledger. */
const FRESH = sql`record_id, account_name, device_id, coalesce(plan_code, '') as plan_code, day, bytes, service_name,
  apn, rating_group, country_code, charge_amount, delayed,
  date_trunc('month', day)::date as month, extract(day from day)::int as day_of_month`;

const addToMonths = (db: Db, ecpdId: Query, from: Query, records: readonly LedgerRecord[]): Query => {
  // A batch has few days.
  const touched = new Set(records.map(({ day }) => Number(day.slice(8))));
  const { bytesByDay, addToDays } = dayElements(db, touched);
  return sql`
    insert into usage_device_month as c (ecpd_id, account_name, device_id, month, plan_code, day_bytes)
    select ${ecpdId}, account_name, device_id, month, plan_code, ${bytesByDay}
    from ${from} where service_name is null
    group by 1, account_name, device_id, month, plan_code order by account_name, device_id, month, plan_code
    on conflict (ecpd_id, account_name, device_id, month, plan_code) do update set ${addToDays}`;
};

/** Of months and days that somebody evaluates, which are few: what nobody needs is not written out either. */
const evaluatedDays = (days: readonly MonthDays[]): Query => sql`
  case ${joinSql(
    days.map(
      ({ month, first, last }) => sql`when month = ${month}::date then day_bytes[${first}::int:${last}::int]`,
    ),
    ' ',
  )} end`;

/** What `fresh` rows add to accounts and bills, and which of the records `ids` are none of them. */
const found = (ids: Query, count: number): Query => sql`
  case when (select count(*) from fresh) < ${count}::int then array(
    select i.record_id from ${ids} where not exists (select 1 from fresh f where f.record_id = i.record_id))
  end as duplicates,
  coalesce((select json_agg(json_build_object('accountName', account_name, 'day', day, 'planCode', plan_code,
                                              'bytes', bytes::text))
    from (select account_name, day, plan_code, sum(bytes) as bytes from bill_days
          group by account_name, day, plan_code) days), '[]') as "accountDays",
  ${BILL_DAYS_FOUND} as "billDays"`;

/** Planned anew each time: the plan for a batch of ten would compare a batch of thousands pair by pair. */
function insertOnOneServer(
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  batch: Batch,
): Promise<InsertedRecords> {
  const { days } = batch;
  const months = sql`coalesce((
    select json_agg(json_build_array(device_id, plan_code, month, ${evaluatedDays(days)})) from counted), '[]')`;
  return db.one<InsertedRecords>(
    unprepared(sql`
    with input as materialized (select * from ${inputOf(records)}),
    added as (${newIds(sql`${ecpdId}`, sql`input i`, batch)} returning record_id),
    fresh as (${ledgerRows(sql`${ecpdId}`, sql`added join input i using (record_id)`, batch)} returning ${FRESH}),
    counted as (${addToMonths(db, sql`${ecpdId}`, sql`fresh`, records)} returning device_id, plan_code, month, day_bytes),
    ${BILL_DAYS}
    select ${found(sql`input i`, records.length)}, ${days.length === 0 ? sql`'[]'::json` : months} as months`),
  );
}

interface CountedMonth {
  readonly deviceId: string;
  readonly planCode: string;
  readonly month: string;
  /** As texts: they are larger than what a number holds. Null where nobody evaluates the month. */
  readonly dayBytes: readonly string[] | null;
}

/**
 * The same as statements that go to the profile's server whole, and are sent together: a cluster would carry what one part of a
 * statement has written to all servers before it runs the next, and commit on each of them. The ids that the first has
 * written are known by the number of the batch.
 */
async function insertOnCluster(
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  batch: Batch,
): Promise<InsertedRecords> {
  const { batchNo, days } = batch;
  const ids = sql`${arrayText(records.map(({ id }) => id))}::text[]`;
  const input = sql`profile p cross join ${inputOf(records)}`;
  const own = sql`p.ecpd_id = ${ecpdId}`;
  // A look into the index for each: nothing is known of rows that were just written, and a join would be planned for one.
  const added = sql`${input} cross join lateral (
    select from usage_record_id k
    where k.ecpd_id = ${ecpdId} and k.record_id = i.record_id and k.batch_no = ${batchNo} offset 0) k where ${own}`;
  const written = sql`(select p.ecpd_id, ${FRESH} from ${added}) fresh`;
  const dayBytes = days.length === 0 ? sql`null::bigint[]` : evaluatedDays(days);
  const [, , counted, others] = await Promise.all([
    db.exec(unprepared(newIds(sql`p.ecpd_id`, sql`${input} where ${own}`, batch))),
    db.exec(unprepared(ledgerRows(sql`p.ecpd_id`, added, batch))),
    db.many<CountedMonth>(
      unprepared(sql`
      ${addToMonths(db, sql`fresh.ecpd_id`, written, records)}
      returning device_id as "deviceId", plan_code as "planCode", month, ${dayBytes} as "dayBytes"`),
    ),
    db.one<Omit<InsertedRecords, 'months'>>(
      unprepared(sql`
      with fresh as materialized (select * from ${written}), ${BILL_DAYS}
      select ${found(sql`unnest(${ids}) as i (record_id)`, records.length)}`),
    ),
  ]);
  const months = counted.flatMap(({ deviceId, planCode, month, dayBytes }): LineMonth[] =>
    dayBytes === null ? [] : [[deviceId, planCode, month, dayBytes.map(Number)]],
  );
  return { ...others, months };
}

/**
 * Ledger rows and counters of devices: a record whose id is there already adds nothing. Rows are locked in the order of their
 * keys, so that two feeds with the same records wait for each other and never in a circle.
 */
export const insertRecords = (
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  batch: Batch,
): Promise<InsertedRecords> => (db.sharded ? insertOnCluster : insertOnOneServer)(db, ecpdId, records, batch);
