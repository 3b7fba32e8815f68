import type { DeviceId } from '../../kernel/device-id.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { KnownDevice, LedgerAccount, LedgerRecord } from './ledger.ts';

/** Which devices have these identifiers, whoever's they are; `nth` counts from 1. */
export const listDevicesByIdentifier = (db: Db, ids: readonly DeviceId[]) =>
  db.many<KnownDevice & { nth: bigint }>(sql`
    select i.nth, di.account_name as "accountName", di.device_id as "deviceId", d.service_plan as "servicePlan",
      d.plan_since as "planSince"
    from unnest(${ids.map((id) => id.kind)}::text[], ${ids.map((id) => id.value)}::text[])
      with ordinality as i (kind, value, nth)
    join device_identifier di on di.kind = i.kind and di.value = i.value
    join device d on d.ecpd_id = di.ecpd_id and d.device_id = di.device_id`);

export const listLedgerAccounts = (db: Db, accountNames: readonly string[]) =>
  db.many<LedgerAccount>(sql`
    select a.ecpd_id as "ecpdId", a.account_name as "accountName", a.time_zone as "timeZone",
      a.bill_cycle_day as "billCycleDay", s.starts_on as "startsOn"
    from account a left join usage_ledger_start s on s.ecpd_id = a.ecpd_id
    where a.account_name = any(${accountNames}::text[])`);

/** Those that still exist, and will until this transaction has ended. */
export const lockAccounts = async (db: Db, ecpdId: string, accountNames: readonly string[]) =>
  (
    await db.many<{ name: string }>(sql`
      select account_name as name from account
      where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name for key share`)
  ).map(({ name }) => name);

const DAYS_OF_MONTH = Array.from({ length: 31 }, (_, i) => i + 1);
/** Bytes of a group of rows by day of the month. */
const BYTES_BY_DAY = trusted(
  DAYS_OF_MONTH.map((n) => `coalesce(sum(bytes) filter (where day_of_month = ${n}), 0)::bigint`).join(', '),
);
const ADDED_BY_DAY = trusted(
  DAYS_OF_MONTH.map((n) => `c.day_bytes[${n}] + excluded.day_bytes[${n}]`).join(', '),
);
/** Only where somebody is going to look: what is new, in the order of the feed. */
const STAGE_RECORDS = sql`
  staged as (
    insert into staged_usage_record (nth, record_id, account_name, device_id, plan_code, day, bytes)
    select i.nth, f.record_id, f.account_name, f.device_id, f.plan_code, f.day, f.bytes
    from input i join fresh f on f.record_id = i.record_id where f.service_name is null),`;

/** Bytes that an account used on a day and plan. */
export interface AccountDay {
  readonly accountName: string;
  readonly day: string;
  readonly planCode: string;
  readonly bytes: string;
}

export interface InsertedRecords {
  /** Null when all were new. */
  readonly duplicates: readonly string[] | null;
  readonly accountDays: readonly AccountDay[];
}

/**
 * Ledger rows and counters of devices in one statement: a record whose id is there already adds nothing. Rows are locked
 * in the order of their keys, so that two feeds with the same records wait for each other and never in a circle.
 * Planned anew each time: the plan for a batch of ten would compare a batch of thousands pair by pair.
 */
export const insertRecords = (
  db: Db,
  ecpdId: string,
  records: readonly LedgerRecord[],
  { takenAt, stage }: { takenAt: Date; stage: boolean },
) =>
  db.one<InsertedRecords>(
    unprepared(sql`
    with input as materialized (
      select * from unnest(${records.map((r) => r.id)}::text[], ${records.map((r) => r.accountName)}::text[],
        ${records.map((r) => r.deviceId)}::uuid[], ${records.map((r) => new Date(r.atMs).toISOString())}::timestamptz[],
        ${records.map((r) => r.day)}::date[], ${records.map((r) => r.bytes)}::bigint[],
        ${records.map((r) => r.apn)}::text[], ${records.map((r) => r.ratingGroup)}::text[],
        ${records.map((r) => r.countryCode)}::text[], ${records.map((r) => r.chargeAmount)}::numeric[],
        ${records.map((r) => r.serviceName)}::text[], ${records.map((r) => r.planCode)}::text[],
        ${records.map((r) => r.delayed)}::boolean[]) with ordinality
        as i (record_id, account_name, device_id, at, day, bytes, apn, rating_group, country_code, charge_amount,
              service_name, plan_code, delayed, nth)),
    fresh as (
      insert into usage_record (ecpd_id, record_id, account_name, device_id, at, day, bytes, apn, rating_group,
        country_code, charge_amount, service_name, plan_code, delayed, taken_at)
      select ${ecpdId}, record_id, account_name, device_id, at, day, bytes, apn, rating_group, country_code,
        charge_amount, service_name, plan_code, delayed, ${takenAt}::timestamptz
      from input order by record_id collate "C"
      on conflict (ecpd_id, record_id) do nothing
      returning record_id, account_name, device_id, coalesce(plan_code, '') as plan_code, day, bytes, service_name,
        date_trunc('month', day)::date as month, extract(day from day)::int as day_of_month),
    ${stage ? STAGE_RECORDS : sql``}
    counted as (
      insert into usage_device_month as c (ecpd_id, account_name, device_id, month, plan_code, day_bytes)
      select ${ecpdId}, account_name, device_id, month, plan_code, array[${BYTES_BY_DAY}]
      from fresh where service_name is null
      group by account_name, device_id, month, plan_code order by account_name, device_id, month, plan_code
      on conflict (ecpd_id, account_name, device_id, month, plan_code) do update set day_bytes = array[${ADDED_BY_DAY}])
    select
      case when (select count(*) from fresh) < ${records.length} then array(
        select i.record_id from input i where not exists (select from fresh f where f.record_id = i.record_id))
      end as duplicates,
      coalesce((select json_agg(json_build_object('accountName', account_name, 'day', day, 'planCode', plan_code,
                                                  'bytes', bytes::text))
        from (select account_name, day, plan_code, sum(bytes) as bytes from fresh where service_name is null
              group by account_name, day, plan_code) days), '[]') as "accountDays"`),
  );

/** Last in the transaction: every feed of an account meets here. */
export const addToAccountDays = (db: Db, ecpdId: string, days: readonly AccountDay[]) =>
  db.exec(sql`
    insert into usage_account_day as c (ecpd_id, account_name, day, plan_code, bytes)
    select ${ecpdId}, d.account_name, d.day, d.plan_code, d.bytes
    from unnest(${days.map((d) => d.accountName)}::text[], ${days.map((d) => d.day)}::date[],
      ${days.map((d) => d.planCode)}::text[], ${days.map((d) => d.bytes)}::bigint[])
      as d (account_name, day, plan_code, bytes)
    order by d.account_name, d.day, d.plan_code
    on conflict (ecpd_id, account_name, day, plan_code) do update set bytes = c.bytes + excluded.bytes`);
