import type { Cycle } from '../../../kernel/bill-cycle.ts';
import { type Cycles, calendarOf } from '../../../kernel/calendar.ts';
import { followedCycles } from '../../../kernel/followed-cycles.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { BOUNDARIES } from '../../accounts/index.ts';
import type { CycleAccount } from './level.ts';

/** An account whose cycles a sum follows, and from when on; null: it always did. */
export interface LeaderRow extends CycleAccount {
  readonly from: string | null;
}

/** The cycles of a sum, and the account that each has. */
export type SumCycles = Cycles & { readonly leaderAt: (atMs: number) => CycleAccount };

export const cyclesOfLeaders = (leaders: readonly LeaderRow[]): SumCycles =>
  followedCycles(
    // Without an account that was deleted, the next one has always been followed.
    leaders.map(({ from, ...account }, n) => ({
      fromMs: n === 0 || from === null ? Number.NEGATIVE_INFINITY : Date.parse(from),
      account,
    })),
  );

export const cyclesOfAccount = (account: CycleAccount): SumCycles => ({
  ...calendarOf(account),
  leaderAt: () => account,
});

/** The leaders of a sum `s`, earliest first. */
export const leadersOf = (ecpdId: string, s: Query): Query => sql`(
  select json_agg(row_to_json(f) order by f.at) from (
    select l.account_name as "accountName", ${BOUNDARIES}, l.holds_from as at,
      case when l.holds_from > '-infinity' then to_json(l.holds_from) end as "from"
    from price_plan_leader l
    join account a on a.ecpd_id = ${ecpdId} and a.account_name = l.account_name
    where l.ecpd_id = ${ecpdId} and l.trigger_id = ${s}.trigger_id and l.subject = ${s}.subject and l.cycle = ${s}.cycle) f)`;

/** A sum of a trigger, or what is checked together when its cycle closes. */
export interface LedSum {
  readonly triggerId: string;
  readonly subject: string;
  readonly cycle: Cycle;
}

const keyOf = ({ triggerId, subject, cycle }: LedSum) => `${triggerId} ${cycle} ${subject}`;

export async function findLeaders(
  db: Db,
  ecpdId: string,
  sums: readonly LedSum[],
): Promise<(sum: LedSum) => readonly LeaderRow[]> {
  const found = await db.many<LedSum & { readonly leaders: readonly LeaderRow[] | null }>(sql`
    select s.trigger_id as "triggerId", s.subject, s.cycle, ${leadersOf(ecpdId, sql`s`)} as leaders
    from unnest(${plainArray(sums.map((s) => s.triggerId))}::uuid[], ${sums.map((s) => s.subject)}::text[],
      ${sums.map((s) => s.cycle)}::text[]) as s (trigger_id, subject, cycle)`);
  const known = new Map(found.map((sum) => [keyOf(sum), sum.leaders ?? []]));
  return (sum) => known.get(keyOf(sum)) ?? [];
}

/**
 * Another account at the head of a sum's list is a change of boundaries: the open cycle ends as it would have, and the
 * next ones follow the account. Of several changes in one cycle the last holds. The caller holds the accounts.
 */
export async function keepLeaders(
  db: Db,
  ecpdId: string,
  sums: readonly (LedSum & { readonly cycleAccount: string })[],
  now: Date,
): Promise<void> {
  const leadersFor = await findLeaders(db, ecpdId, sums);
  const isPending = ({ from }: LeaderRow) => from !== null && Date.parse(from) > now.getTime();
  const changed = sums.flatMap((sum): (LedSum & { cycleAccount: string; from: string | null })[] => {
    const leaders = leadersFor(sum);
    const begun = leaders.filter((leader) => !isPending(leader));
    const last = leaders.at(-1);
    if (last?.accountName === sum.cycleAccount) return [];
    if (begun.length === 0) return [{ ...sum, from: '-infinity' }];
    if (begun.at(-1)!.accountName === sum.cycleAccount) return [{ ...sum, from: null }];
    const { toMs } = cyclesOfLeaders(begun).cycleAt(sum.cycle, now.getTime());
    return [{ ...sum, from: new Date(toMs).toISOString() }];
  });
  if (changed.length === 0) return;
  const rows = sql`unnest(${plainArray(changed.map((s) => s.triggerId))}::uuid[], ${changed.map((s) => s.subject)}::text[],
    ${changed.map((s) => s.cycle)}::text[], ${changed.map((s) => s.from)}::timestamptz[],
    ${changed.map((s) => s.cycleAccount)}::text[]) as s (trigger_id, subject, cycle, holds_from, account_name)`;
  await db.exec(sql`
    delete from price_plan_leader l using ${rows}
    where l.ecpd_id = ${ecpdId} and l.trigger_id = s.trigger_id and l.subject = s.subject and l.cycle = s.cycle
      and l.holds_from > ${now}`);
  await db.exec(sql`
    insert into price_plan_leader (ecpd_id, trigger_id, subject, cycle, holds_from, account_name)
    select p.ecpd_id, s.* from profile p cross join ${rows}
    where p.ecpd_id = ${ecpdId} and s.holds_from is not null
    on conflict do nothing`);
}
