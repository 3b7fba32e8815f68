import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';

export const ALL_DAYS: ReadonlySet<number> = new Set(Array.from({ length: 31 }, (_, i) => i + 1));

/**
 * The parts of a statement that name the elements of a month: `bytesByDay` builds them from rows with `bytes` and
 * `day_of_month`, and `addToDays` adds them to the counter `c`. Only the touched elements are set. A cluster applies
 * only the last of several elements that a statement sets, so it gets the whole month.
 */
export function dayElements(
  { sharded }: Pick<Db, 'sharded'>,
  touched: ReadonlySet<number>,
): {
  readonly bytesByDay: Query;
  readonly addToDays: Query;
} {
  const bytes = [...ALL_DAYS].map((n) =>
    touched.has(n) ? `coalesce(sum(bytes) filter (where day_of_month = ${n}), 0)::bigint` : '0::bigint',
  );
  const sum = (n: number) => `c.day_bytes[${n}] + excluded.day_bytes[${n}]`;
  const month = [...ALL_DAYS].map((n) => (touched.has(n) ? sum(n) : `c.day_bytes[${n}]`));
  const addToDays = sharded
    ? `day_bytes = array[${month.join(', ')}]`
    : [...touched].map((n) => `day_bytes[${n}] = ${sum(n)}`).join(', ');
  return { bytesByDay: trusted(`array[${bytes.join(', ')}]`), addToDays: trusted(addToDays) };
}

/** What an account used and was charged on a day, by everything that a bill distinguishes. Empty text: not known. */
export interface BillDay {
  readonly accountName: string;
  readonly day: string;
  readonly planCode: string;
  readonly apn: string;
  readonly ratingGroup: string;
  readonly countryCode: string;
  readonly delayed: boolean;
  readonly bytes: string;
  readonly chargedBytes: string;
  readonly chargeAmount: string;
}

/** Part of the statement that writes the ledger: what its `fresh` rows add to bills. */
export const BILL_DAYS = sql`
  bill_days as materialized (
    select account_name, day, plan_code, coalesce(apn, '') as apn, coalesce(rating_group, '') as rating_group,
      coalesce(country_code, '') as country_code, delayed, sum(bytes) as bytes,
      coalesce(sum(bytes) filter (where charge_amount is not null), 0) as charged_bytes,
      coalesce(sum(charge_amount), 0) as charge_amount
    from fresh where service_name is null group by 1, 2, 3, 4, 5, 6, 7)`;

/** Call this last in the transaction, like `addToAccountDays`. */
export function addToBillDays(db: Db, ecpdId: string, days: readonly BillDay[]): Promise<number> {
  const column = (read: (day: BillDay) => string | boolean) => arrayText(days.map(read));
  return db.exec(sql`
    insert into usage_bill_day as c (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed, bytes,
      charged_bytes, charge_amount)
    select p.ecpd_id, d.*
    from profile p cross join unnest(${column((d) => d.accountName)}::text[], ${column((d) => d.day)}::date[],
      ${column((d) => d.planCode)}::text[], ${column((d) => d.apn)}::text[], ${column((d) => d.ratingGroup)}::text[],
      ${column((d) => d.countryCode)}::text[], ${column((d) => d.delayed)}::boolean[], ${column((d) => d.bytes)}::bigint[],
      ${column((d) => d.chargedBytes)}::bigint[], ${column((d) => d.chargeAmount)}::numeric[])
      as d (account_name, day, plan_code, apn, rating_group, country_code, delayed, bytes, charged_bytes, charge_amount)
    where p.ecpd_id = ${ecpdId}
    order by d.account_name, d.day, d.plan_code, d.apn, d.rating_group, d.country_code, d.delayed
    on conflict (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed) do update set
      bytes = c.bytes + excluded.bytes, charged_bytes = c.charged_bytes + excluded.charged_bytes,
      charge_amount = c.charge_amount + excluded.charge_amount`);
}

/** Bytes that an account used on a day and plan. */
export type AccountDay = Pick<BillDay, 'accountName' | 'day' | 'planCode' | 'bytes'>;

/** Call this last in the transaction: all feeds of an account wait for each other here. */
export const addToAccountDays = (db: Db, ecpdId: string, days: readonly AccountDay[]) =>
  db.exec(sql`
    insert into usage_account_day as c (ecpd_id, account_name, day, plan_code, bytes)
    select p.ecpd_id, d.account_name, d.day, d.plan_code, d.bytes
    from profile p cross join unnest(${days.map((d) => d.accountName)}::text[], ${days.map((d) => d.day)}::date[],
      ${days.map((d) => d.planCode)}::text[], ${days.map((d) => d.bytes)}::bigint[])
      as d (account_name, day, plan_code, bytes)
    where p.ecpd_id = ${ecpdId}
    order by d.account_name, d.day, d.plan_code
    on conflict (ecpd_id, account_name, day, plan_code) do update set bytes = c.bytes + excluded.bytes`);
