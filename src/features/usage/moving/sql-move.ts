import type { LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql, unprepared } from '../../../platform/db/sql.ts';
import { ALL_DAYS, BILL_DAYS, dayElements } from '../sql-counters.ts';
import { drawBatch } from '../sql-feed.ts';

/** A line, and the time from which its usage counts for another plan. */
export interface MovedLine {
  readonly deviceId: string;
  readonly since: Date;
}

interface Move {
  readonly planCode: string;
  readonly lines: readonly (MovedLine & { readonly fromDay: LocalDay })[];
  /** Every day that its records can have, listed singly so that the index finds the records of a line. */
  readonly days: readonly LocalDay[];
  readonly movedAt: Date;
}

/** What was moved for a line on a day, and the plan that it was moved from. */
export type MovedDay = readonly [deviceId: string, day: LocalDay, fromPlan: string, bytes: number];

const lineRows = ({ lines }: Pick<Move, 'lines'>): Query => sql`
  unnest(${plainArray(lines.map((l) => l.deviceId))}::uuid[], ${plainArray(lines.map((l) => l.since))}::timestamptz[],
    ${plainArray(lines.map((l) => l.fromDay))}::date[]) with ordinality as l (device_id, since, from_day, nth)`;

/** The data records `r` of lines `l` that count for another plan; one index lookup for each line and day. */
const recordsToMove = ({ ecpdId, accountName }: Tenant, move: Omit<Move, 'movedAt'>): Query => sql`
  ${lineRows(move)}
  cross join lateral (
    select * from usage_record
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and day = any(${plainArray(move.days)}::date[])
      and device_id = l.device_id and day >= l.from_day and service_name is null and at >= l.since
      and plan_code is distinct from ${move.planCode}
    offset 0) r`;

/** Notes lines that leave their account now: a batch that looked them up earlier looks them up again. */
export const noteLeft = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  now: Date,
): Promise<void> => {
  const batchNo = await drawBatch(db);
  await db.exec(sql`
    insert into usage_move (ecpd_id, account_name, batch_no, device_id, since, moved_at, has_left)
    select p.ecpd_id, ${accountName}, ${batchNo}, l.device_id, ${now}, ${now}, true
    from profile p cross join unnest(${plainArray(deviceIds)}::uuid[]) as l (device_id)
    where p.ecpd_id = ${ecpdId}`);
};

/** How many records of each line would be moved, in the order of the lines. */
export const countRecordsToMove = async (
  db: Db,
  tenant: Tenant,
  move: Omit<Move, 'movedAt'>,
): Promise<readonly number[]> => {
  const found = await db.many<{ nth: number; count: number }>(
    unprepared(sql`
    select l.nth::int, count(*)::int as count from ${recordsToMove(tenant, move)} group by l.nth`),
  );
  const counts = new Map(found.map(({ nth, count }) => [nth, count]));
  return move.lines.map((_, n) => counts.get(n + 1) ?? 0);
};

/** The bytes that leave and enter the counters of lines, as signed rows. */
const movedMonths = (planCode: string): Query => sql`
    signed as (
      select device_id, day, plan_code, -bytes as bytes from fresh
      union all
      select device_id, day, ${planCode}, bytes from fresh),
    by_month as (
      select device_id, plan_code, bytes, date_trunc('month', day)::date as month, extract(day from day)::int as day_of_month
      from signed)`;

const movedBills = ({ ecpdId, accountName }: Tenant, { planCode, days }: Move): Query => sql`
    bill_taken as (
      update usage_bill_day c set bytes = c.bytes - d.bytes, charged_bytes = c.charged_bytes - d.charged_bytes,
        charge_amount = c.charge_amount - d.charge_amount
      from bill_days d
      where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName} and c.day = any(${plainArray(days)}::date[])
        and c.day = d.day and c.plan_code = d.plan_code
        and c.apn = d.apn and c.rating_group = d.rating_group and c.country_code = d.country_code and c.delayed = d.delayed),
    bill_added as (
      insert into usage_bill_day as c (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed, bytes,
        charged_bytes, charge_amount)
      select p.ecpd_id, ${accountName}, day, ${planCode}, apn, rating_group, country_code, delayed, sum(bytes),
        sum(charged_bytes), sum(charge_amount)
      from bill_days join profile p on p.ecpd_id = ${ecpdId}
      group by p.ecpd_id, day, apn, rating_group, country_code, delayed
      on conflict (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed) do update set
        bytes = c.bytes + excluded.bytes, charged_bytes = c.charged_bytes + excluded.charged_bytes,
        charge_amount = c.charge_amount + excluded.charge_amount),
    account_days as (
      insert into usage_account_day as c (ecpd_id, account_name, day, plan_code, bytes)
      select p.ecpd_id, ${accountName}, day, plan_code, sum(bytes) from signed join profile p on p.ecpd_id = ${ecpdId}
      group by p.ecpd_id, day, plan_code
      on conflict (ecpd_id, account_name, day, plan_code) do update set bytes = c.bytes + excluded.bytes)`;

/**
 * Changes the records, their history of moves and all counters in one statement. The caller holds the account's usage
 * alone, so nothing else adds to them. Records are updated by a list of ids: a join would be planned for any number of
 * rows and might read the whole ledger.
 */
export const moveRecords = (
  db: Db,
  tenant: Tenant,
  batchNo: bigint,
  move: Move,
): Promise<{ readonly days: readonly MovedDay[] }> => {
  const { ecpdId, accountName } = tenant;
  const { planCode, movedAt } = move;
  const { bytesByDay, addToDays } = dayElements(db, ALL_DAYS);
  return db.one(
    unprepared(sql`
    with noted as (
      insert into usage_move (ecpd_id, account_name, batch_no, device_id, since, moved_at)
      select p.ecpd_id, ${accountName}, ${batchNo}, l.device_id, l.since, ${movedAt}
      from profile p cross join ${lineRows(move)} where p.ecpd_id = ${ecpdId}),
    fresh as materialized (
      select r.record_id, r.account_name, r.device_id, r.day, r.bytes, coalesce(r.plan_code, '') as plan_code, r.service_name,
        r.apn, r.rating_group, r.country_code, r.charge_amount, r.delayed
      from ${recordsToMove(tenant, move)}),
    kept as (
      insert into usage_moved_record (ecpd_id, record_id, batch_no, account_name, device_id, day, bytes, from_plan, to_plan,
        moved_at)
      select p.ecpd_id, record_id, ${batchNo}, ${accountName}, device_id, day, bytes, plan_code, ${planCode}, ${movedAt}
      from fresh join profile p on p.ecpd_id = ${ecpdId}),
    rewritten as (
      update usage_record set plan_code = ${planCode}
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and day = any(${plainArray(move.days)}::date[])
        and device_id = any(${plainArray(move.lines.map((l) => l.deviceId))}::uuid[])
        and record_id = any(array(select record_id from fresh))),
    ${movedMonths(planCode)},
    months as (
      insert into usage_device_month as c (ecpd_id, account_name, device_id, month, plan_code, day_bytes)
      select p.ecpd_id, ${accountName}, device_id, month, plan_code, ${bytesByDay}
      from by_month join profile p on p.ecpd_id = ${ecpdId} group by p.ecpd_id, device_id, month, plan_code
      on conflict (ecpd_id, account_name, device_id, month, plan_code) do update set ${addToDays}),
    ${BILL_DAYS},
    ${movedBills(tenant, move)}
    select coalesce(json_agg(json_build_array(device_id, day, plan_code, bytes) order by device_id, day, plan_code), '[]') as days
    from (select device_id, day, plan_code, sum(bytes) as bytes from fresh group by device_id, day, plan_code) each`),
  );
};
