import { Type } from 'typebox';
import type { Ctx } from '../../../platform/context/context.ts';
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts';
import {
  cyclesOfAccount,
  cyclesOfLeaders,
  findLeaders,
  type LeaderRow,
  type LedSum,
  type SumCycles,
} from '../levels/leaders.ts';
import type { Closing, CycleAccount } from '../levels/level.ts';
import { type ClosingKey, type ClosingRow, deleteUnwanted, insertClosings } from './sql-closing.ts';

/** The accounts whose counters are compared. */
export const accountsOf = ({ accountName, check }: Closing): readonly string[] =>
  check.kind === 'lines' || check.kind === 'age'
    ? [accountName]
    : [...new Set([accountName, ...check.members.map((member) => member.accountName)])];

/** Evaluates everything that is due in its profile: one job for each time, however many triggers and accounts close then. */
export const CLOSE_CYCLES = {
  kind: 'price-plan-triggers.close-cycle',
  schema: Type.Object({}),
  attemptsMax: 20,
} as const;

export const closeAt = (ctx: Ctx, ecpdId: string, times: readonly Date[]) => {
  const distinct = new Map(times.map((at) => [at.toISOString(), at]));
  const jobs = [...distinct].map(([key, dueAt]) => ({ payload: {}, dueAt, key }));
  return enqueueJobs(ctx, CLOSE_CYCLES, ecpdId, jobs);
};

/** The cycle of a closing that contains the instant. */
export function closingAt(key: ClosingKey, { cycleAt }: SumCycles, atMs: number): ClosingRow {
  const { triggerId, accountName, cycle } = key;
  const { fromMs, toMs } = cycleAt(cycle, atMs);
  return { triggerId, accountName, cycle, opensAt: new Date(fromMs), closesAt: new Date(toMs) };
}

/** What is checked together has the cycles of the accounts that it follows, and each line those of its own account. */
export const cyclesOfClosing = (
  { triggerId, cycle, check }: Pick<Closing, 'cycle' | 'check'> & { readonly triggerId: string },
  account: CycleAccount,
  leadersFor: (sum: LedSum) => readonly LeaderRow[],
): SumCycles => {
  const leaders = 'subject' in check ? leadersFor({ triggerId, subject: check.subject, cycle }) : [];
  return leaders.length === 0 ? cyclesOfAccount(account) : cyclesOfLeaders(leaders);
};

/** The sums that have leaders. */
export const ledByClosings = <T extends Closing>(closings: readonly T[]) =>
  closings.flatMap((closing) =>
    'subject' in closing.check
      ? [{ ...closing, subject: closing.check.subject, cycleAccount: closing.accountName }]
      : [],
  );

/** Called in the transaction that writes the triggers. A closing that already waits keeps waiting, even if it is overdue. */
export async function scheduleClosings(
  ctx: Ctx,
  ecpdId: string,
  {
    triggerIds,
    closings,
    accounts,
  }: {
    readonly triggerIds: readonly string[];
    readonly closings: readonly (Closing & { readonly triggerId: string })[];
    readonly accounts: readonly CycleAccount[];
  },
): Promise<void> {
  await deleteUnwanted(ctx.db, ecpdId, triggerIds, closings);
  const known = new Map(accounts.map((account) => [account.accountName, account]));
  const leadersFor = await findLeaders(ctx.db, ecpdId, ledByClosings(closings));
  const open = closings.flatMap((closing) => {
    const account = known.get(closing.accountName);
    if (account === undefined) return [];
    return [closingAt(closing, cyclesOfClosing(closing, account, leadersFor), ctx.now().getTime())];
  });
  if (open.length === 0) return;
  await insertClosings(ctx.db, ecpdId, open);
  await closeAt(
    ctx,
    ecpdId,
    open.map(({ closesAt }) => closesAt),
  );
}
