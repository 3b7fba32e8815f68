import type { Cycle, LocalDay } from '../../../kernel/bill-cycle.ts';
import type { CountedDays } from '../../../kernel/calendar.ts';
import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../../platform/db/sql.ts';
import { BOUNDARIES } from '../../accounts/index.ts';
import { BYTES_IN_CYCLE, MONTHS_IN_CYCLE, piecesColumn, shareLevels } from '../../usage/index.ts';
import type { CounterLevel, CycleAccount, Sum } from './level.ts';

/** The accounts whose usage these triggers compare now. */
export const listComparedAccounts = (db: Db, ecpdId: string, triggerIds: readonly string[]) =>
  db.values<string>(sql`
    select account_name as name from price_plan_level
    where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[])
    union
    select account_name from price_plan_sum
    where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[])
    union
    select account_name from price_plan_closing
    where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[]) and done_at is null`);

/** Takes the same locks as batches that compare levels: no batch or move of usage is then between counting and comparing. */
export async function holdAccounts(
  db: Db,
  ecpdId: string,
  accountNames: readonly string[],
): Promise<readonly CycleAccount[]> {
  const held = await db.many<CycleAccount>(sql`
    select account_name as "accountName", ${BOUNDARIES} from account a
    where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[]) order by account_name for no key update`);
  if (held.length > 0) await shareLevels(db, ecpdId, accountNames);
  return held;
}

export async function deleteLevels(db: Db, ecpdId: string, triggerIds: readonly string[]): Promise<void> {
  for (const table of [
    sql`price_plan_behind`,
    sql`price_plan_level`,
    sql`price_plan_sum`,
    sql`price_plan_sum_level`,
  ])
    await db.exec(sql`
      delete from ${table} where ecpd_id = ${ecpdId} and trigger_id = any(${plainArray(triggerIds)}::uuid[])`);
}

type OfTrigger<T> = T & { readonly triggerId: string };

export const insertLevels = (db: Db, ecpdId: string, levels: readonly OfTrigger<CounterLevel>[]) =>
  db.exec(sql`
    insert into price_plan_level (ecpd_id, account_name, plan_code, cycle, scope, beyond_bytes, trigger_id, level_kind,
      level, on_passing)
    select distinct p.ecpd_id, l.* from profile p cross join unnest(${levels.map((l) => l.accountName)}::text[],
      ${levels.map((l) => l.planCode)}::text[], ${levels.map((l) => l.cycle)}::text[], ${levels.map((l) => l.scope)}::text[],
      ${plainArray(levels.map((l) => l.beyondBytes))}::bigint[], ${plainArray(levels.map((l) => l.triggerId))}::uuid[],
      ${levels.map((l) => l.levelKind)}::text[], ${plainArray(levels.map((l) => l.level))}::bigint[],
      ${levels.map((l) => l.onPassing)}::boolean[]) l
    where p.ecpd_id = ${ecpdId}`);

export async function insertSums(db: Db, ecpdId: string, sums: readonly OfTrigger<Sum>[]): Promise<void> {
  const members = sums.flatMap(({ triggerId, subject, cycle, cycleAccount, members }) =>
    members.map((member) => ({ triggerId, subject, cycle, cycleAccount, ...member })),
  );
  await db.exec(sql`
    insert into price_plan_sum (ecpd_id, account_name, plan_code, cycle, trigger_id, subject, cycle_account)
    select distinct p.ecpd_id, m.* from profile p cross join unnest(${members.map((m) => m.accountName)}::text[],
      ${members.map((m) => m.planCode)}::text[], ${members.map((m) => m.cycle)}::text[],
      ${plainArray(members.map((m) => m.triggerId))}::uuid[], ${members.map((m) => m.subject)}::text[],
      ${members.map((m) => m.cycleAccount)}::text[]) m
    where p.ecpd_id = ${ecpdId}`);
  const levels = sums.flatMap(({ triggerId, subject, levels }) =>
    levels.map((level) => ({ triggerId, subject, ...level })),
  );
  await db.exec(sql`
    insert into price_plan_sum_level (ecpd_id, trigger_id, subject, level_kind, level, beyond_bytes, on_passing)
    select distinct p.ecpd_id, l.* from profile p cross join unnest(${plainArray(levels.map((l) => l.triggerId))}::uuid[],
      ${levels.map((l) => l.subject)}::text[], ${levels.map((l) => l.levelKind)}::text[],
      ${plainArray(levels.map((l) => l.level))}::bigint[],
      ${plainArray(levels.map((l) => l.beyondBytes ?? null))}::bigint[], ${levels.map((l) => l.onPassing)}::boolean[])
      as l (trigger_id, subject, level_kind, level, beyond_bytes, on_passing)
    where p.ecpd_id = ${ecpdId}`);
}

/** A cycle of an account in which a trigger can still fire. */
export interface OpenCycle extends CountedDays {
  readonly accountName: string;
  readonly cycle: Cycle;
  /** The day on which it begins; no other cycle of its kind has it. */
  readonly key: LocalDay;
}

/** Notes which counters are already beyond the levels of these triggers: their next usage fires. */
export const insertBehind = (
  db: Db,
  ecpdId: string,
  triggerIds: readonly string[],
  cycles: readonly OpenCycle[],
) =>
  db.exec(
    unprepared(sql`
    with level as materialized (
      select l.account_name, l.plan_code, l.cycle, l.scope, l.beyond_bytes, l.trigger_id, l.level_kind, l.level,
        c.from_day, c.to_day, c.pieces::date[] as pieces, c.key_day
      from unnest(${cycles.map((c) => c.accountName)}::text[], ${cycles.map((c) => c.cycle)}::text[],
        ${plainArray(cycles.map((c) => c.from))}::date[], ${plainArray(cycles.map((c) => c.to))}::date[],
        ${piecesColumn(cycles)}::text[], ${plainArray(cycles.map((c) => c.key))}::date[])
        as c (account_name, cycle, from_day, to_day, pieces, key_day)
      join price_plan_level l on l.ecpd_id = ${ecpdId} and l.account_name = c.account_name and l.cycle = c.cycle
        and l.trigger_id = any(${plainArray(triggerIds)}::uuid[]) and not l.on_passing),
    line as (
      select d.account_name, d.plan_code, d.cycle, d.key_day, m.device_id, sum(${BYTES_IN_CYCLE}) as bytes
      from (select distinct account_name, plan_code, cycle, key_day, from_day, to_day, pieces from level where scope = 'device') d
      join usage_device_month m on m.ecpd_id = ${ecpdId} and m.account_name = d.account_name
        and m.plan_code = d.plan_code
        and m.month = ${MONTHS_IN_CYCLE}
      group by 1, 2, 3, 4, 5),
    whole as (
      select d.account_name, d.plan_code, d.cycle, d.key_day, sum(c.bytes) as bytes
      from (select distinct account_name, plan_code, cycle, key_day, from_day, to_day, pieces from level where scope = 'account') d
      join usage_account_day c on c.ecpd_id = ${ecpdId} and c.account_name = d.account_name
        and c.plan_code = d.plan_code and (c.day >= d.from_day and c.day < d.to_day or c.day = any(d.pieces))
      group by 1, 2, 3, 4)
    insert into price_plan_behind (ecpd_id, account_name, device_id, plan_code, cycle, from_day, trigger_id, level_kind, level)
    select ${ecpdId}, l.account_name, k.device_id, l.plan_code, l.cycle, l.key_day, l.trigger_id, l.level_kind, l.level
    from level l
    join line k using (account_name, plan_code, cycle, key_day)
    where l.scope = 'device' and k.bytes > l.beyond_bytes
    union all
    select ${ecpdId}, l.account_name, ${NIL_UUID}::uuid, l.plan_code, l.cycle, l.key_day,
      l.trigger_id, l.level_kind, l.level
    from level l
    join whole k using (account_name, plan_code, cycle, key_day)
    where l.scope = 'account' and k.bytes > l.beyond_bytes`),
  );
