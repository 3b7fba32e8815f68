import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { violates } from '../../platform/db/failures.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { joinSql, type Query, sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { AlikeRecords } from './alike-records.ts';
import type { LedgerRecord } from './ledger.ts';
import type { GrownMonths, LineMonth } from './line-months.ts';
import { ALL_DAYS, dayElements } from './sql-counters.ts';
import { listKnownRecords } from './sql-feed.ts';
import type { MonthDays } from './usage-cycle.ts';

/** More profiles than ever feed one process at once. */
const PROFILES_MAX = 1_000;

/** Profiles whose last batch contained repeated records: a sender that repeats records usually does so again. */
export class RepeatingFeeds {
  readonly #profiles = new Set<string>();

  has(ecpdId: string): boolean {
    return this.#profiles.has(ecpdId);
  }

  note(ecpdId: string, isRepeating: boolean): void {
    if (!isRepeating) this.#profiles.delete(ecpdId);
    else if (this.#profiles.size < PROFILES_MAX) this.#profiles.add(ecpdId);
  }
}

interface Batch {
  readonly batchNo: bigint;
  readonly takenAt: Date;
  readonly repeating?: RepeatingFeeds | undefined;
}

/** Inserts ids in the order of their keys, so that two feeds with the same records wait for each other and never deadlock. */
const idsOf = (ecpdId: string, records: readonly LedgerRecord[], { batchNo }: Batch): Query => sql`
  insert into usage_record_id (ecpd_id, record_id, day, batch_no)
  select p.ecpd_id, i.record_id, i.day, ${batchNo}::bigint
  from profile p cross join unnest(${arrayText(records.map(({ id }) => id))}::text[],
    ${plainArray(records.map(({ day }) => day))}::date[]) as i (record_id, day)
  where p.ecpd_id = ${ecpdId} order by i.record_id collate "C"`;

const listIdsOfBatch = (db: Db, ecpdId: string, ids: readonly string[], { batchNo }: Batch) =>
  db.values<string>(sql`
    select record_id as id from usage_record_id
    where ecpd_id = ${ecpdId} and record_id = any(${arrayText(ids)}::text[]) and batch_no = ${batchNo}`);

const SAMPLED = 50;
/**
 * The known ids among the records, or among a sample if this feed does not usually repeat records. A sample is enough
 * to recognise a feed that is sent again.
 */
async function listKnown(
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  isRepeating: boolean,
): Promise<ReadonlySet<string>> {
  const step = isRepeating ? 1 : Math.ceil(records.length / SAMPLED);
  const some = records.filter((_, n) => n % step === 0).map(({ id }) => id);
  return new Set(await listKnownRecords(db, ecpdId, some));
}

/** Returns undefined and writes nothing if other records than the ones found are known. */
async function insertUnknown(
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  batch: Batch,
): Promise<readonly LedgerRecord[] | undefined> {
  const { repeating } = batch;
  const wasRepeating = repeating?.has(ecpdId) ?? false;
  const known = await listKnown(db, ecpdId, records, wasRepeating);
  repeating?.note(ecpdId, known.size > 0);
  // The sample found some, so there are more.
  if (known.size > 0 && !wasRepeating) return undefined;
  const unknown = known.size === 0 ? records : records.filter(({ id }) => !known.has(id));
  if (unknown.length === 0 || (await insertAllNew(db, idsOf(ecpdId, unknown, batch)))) return unknown;
  repeating?.note(ecpdId, true);
  return undefined;
}

/** Whether all were new; otherwise nothing was written. */
async function insertAllNew(db: Db, insert: Query): Promise<boolean> {
  try {
    await db.savepoint((inner) => inner.exec(insert));
    return true;
  } catch (error) {
    if (violates(error, 'usage_record_id_pkey')) return false;
    throw error;
  }
}

/**
 * Inserts the ids and returns the records whose ids are new to the profile. Nearly always all are new, and checking
 * each before writing costs half as much again. So it checks only if one is not new, or if the last batch had repeats.
 */
export async function insertNewIds(
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  batch: Batch,
): Promise<readonly LedgerRecord[]> {
  if (!db.sharded) {
    const fresh = await insertUnknown(db, ecpdId, records, batch);
    if (fresh !== undefined) return fresh;
  }
  const insert = idsOf(ecpdId, records, batch);
  const count = await db.exec(sql`${insert} on conflict (ecpd_id, record_id) do nothing`);
  if (count === records.length) return records;
  if (count === 0) return [];
  const ids = records.map(({ id }) => id);
  const own = new Set(await listIdsOfBatch(db, ecpdId, ids, batch));
  return records.filter(({ id }) => own.has(id));
}

/**
 * Inserts rows of the ledger. Values that records share are sent once per group. It is planned on each call: the plan
 * for a few records would compare thousands of records and groups pair by pair.
 */
export function insertLedgerRows(
  db: Db,
  ecpdId: string,
  { records, groups, groupOf }: AlikeRecords,
  { batchNo, takenAt }: Batch,
): Promise<number> {
  const text = (read: (record: LedgerRecord) => string | boolean | undefined) =>
    arrayText(groups.map(({ like }) => read(like)));
  const plain = (read: (record: LedgerRecord) => string | number | null) => plainArray(records.map(read));
  return db.exec(
    unprepared(sql`
    insert into usage_record (ecpd_id, record_id, account_name, device_id, at, day, bytes, apn, rating_group,
      country_code, charge_amount, service_name, plan_code, delayed, taken_at, batch_no, nth)
    select p.ecpd_id, i.record_id, g.account_name, i.device_id, 'epoch'::timestamptz + i.at_ms * interval '1 millisecond',
      g.day, i.bytes, g.apn, g.rating_group, g.country_code, i.charge_amount, g.service_name, g.plan_code, g.delayed,
      ${takenAt}::timestamptz, ${batchNo}::bigint, i.nth
    from profile p cross join unnest(${arrayText(records.map(({ id }) => id))}::text[],
      ${plain((r) => r.deviceId)}::uuid[], ${plain((r) => r.atMs)}::bigint[], ${plain((r) => r.bytes)}::bigint[],
      ${plain((r) => r.chargeAmount ?? null)}::numeric[], ${plainArray(groupOf)}::int[]) with ordinality
      as i (record_id, device_id, at_ms, bytes, charge_amount, group_no, nth)
    join unnest(${text((r) => r.accountName)}::text[], ${text((r) => r.day)}::date[], ${text((r) => r.apn)}::text[],
      ${text((r) => r.ratingGroup)}::text[], ${text((r) => r.countryCode)}::text[], ${text((r) => r.serviceName)}::text[],
      ${text((r) => r.planCode)}::text[], ${text((r) => r.delayed)}::boolean[]) with ordinality
      as g (account_name, day, apn, rating_group, country_code, service_name, plan_code, delayed, nth) on g.nth = i.group_no
    where p.ecpd_id = ${ecpdId}`),
  );
}

/** Rows are locked in the order of their keys. */
function addToMonths(db: Db, ecpdId: string, { months, bytesOn }: GrownMonths): Query {
  const touched = [...bytesOn.keys()];
  const columns = [...bytesOn.values()].map((bytes) => sql`, ${plainArray(bytes)}::bigint[]`);
  const names = trusted(touched.map((n) => `, bytes_${n}`).join(''));
  const elements = [...ALL_DAYS].map((n) => (bytesOn.has(n) ? `i.bytes_${n}` : '0::bigint'));
  const { addToDays } = dayElements(db, new Set(touched));
  return sql`
    insert into usage_device_month as c (ecpd_id, account_name, device_id, month, plan_code, day_bytes)
    select p.ecpd_id, i.account_name, i.device_id, i.month, i.plan_code, array[${trusted(elements.join(', '))}]
    from profile p cross join unnest(${arrayText(months.map((m) => m.accountName))}::text[],
      ${plainArray(months.map((m) => m.deviceId))}::uuid[], ${plainArray(months.map((m) => m.month))}::date[],
      ${arrayText(months.map((m) => m.planCode))}::text[]${joinSql(columns, '')})
      as i (account_name, device_id, month, plan_code${names})
    where p.ecpd_id = ${ecpdId} order by i.account_name, i.device_id, i.month, i.plan_code
    on conflict (ecpd_id, account_name, device_id, month, plan_code) do update set ${addToDays}`;
}

/** Returns only the evaluated months and days, which are few: the others need not be serialised. */
const evaluatedDays = (days: readonly MonthDays[]): Query => sql`
  case ${joinSql(
    days.map(
      ({ month, first, last }) => sql`when month = ${month}::date then day_bytes[${first}::int:${last}::int]`,
    ),
    ' ',
  )} end`;

interface CountedMonth {
  readonly deviceId: string;
  readonly planCode: string;
  readonly month: string;
  /** As text, because they can exceed a number. Null where the month is not evaluated. */
  readonly dayBytes: readonly string[] | null;
}

/**
 * Adds to the counters of lines and returns the evaluated ones, on the evaluated days. A cluster would send the result
 * of a part of a statement to all its servers, so it returns rows; otherwise one JSON text costs the process less.
 */
export async function countLines(
  db: Db,
  ecpdId: string,
  grown: GrownMonths,
  days: readonly MonthDays[],
): Promise<readonly LineMonth[]> {
  const add = addToMonths(db, ecpdId, grown);
  if (days.length === 0) {
    await db.exec(unprepared(add));
    return [];
  }
  if (!db.sharded) {
    const { months } = await db.one<{ months: readonly LineMonth[] }>(
      unprepared(sql`
      with counted as (${add} returning device_id, plan_code, month, day_bytes)
      select json_agg(json_build_array(device_id, plan_code, month, ${evaluatedDays(days)})) as months from counted`),
    );
    return months;
  }
  const counted = await db.many<CountedMonth>(
    unprepared(sql`
    ${add}
    returning device_id as "deviceId", plan_code as "planCode", month, ${evaluatedDays(days)} as "dayBytes"`),
  );
  return counted.flatMap(({ deviceId, planCode, month, dayBytes }): LineMonth[] =>
    dayBytes === null ? [] : [[deviceId, planCode, month, dayBytes.map(Number)]],
  );
}
