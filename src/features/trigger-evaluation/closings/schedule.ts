import { Type } from 'typebox';
import { type Cycle, cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts';
import { daysIn } from '../../usage/index.ts';
import type { Closing, CycleAccount } from '../levels/level.ts';
import {
  type ClosingKey,
  type ClosingRow,
  deleteUnwanted,
  insertClosings,
  listOpenEnds,
  moveEnds,
} from './sql-closing.ts';

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

/** The account's cycle that contains the day. */
export function closingOn(
  key: ClosingKey,
  day: LocalDay,
  { timeZone, billCycleDay }: CycleAccount,
): ClosingRow {
  const span = cycleOf(key.cycle, day, billCycleDay);
  return { ...key, ...span, closesAt: new Date(daysIn(timeZone).startOf(span.to)) };
}

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
    readonly closings: readonly { triggerId: string; accountName: string; cycle: Cycle }[];
    readonly accounts: readonly CycleAccount[];
  },
): Promise<void> {
  await deleteUnwanted(ctx.db, ecpdId, triggerIds, closings);
  const known = new Map(accounts.map((account) => [account.accountName, account]));
  const open = closings.flatMap((key) => {
    const account = known.get(key.accountName);
    if (account === undefined) return [];
    return [{ account, row: closingOn(key, daysIn(account.timeZone).dayAt(ctx.now().getTime()), account) }];
  });
  if (open.length === 0) return;
  const now = open.map(({ row }) => row);
  await insertClosings(ctx.db, ecpdId, now);
  // A zone moved to the west can reopen a cycle that was evaluated: then the next cycle is scheduled.
  await insertClosings(
    ctx.db,
    ecpdId,
    open.map(({ row, account }) => closingOn(row, row.to, account)),
  );
  await closeAt(
    ctx,
    ecpdId,
    now.map(({ closesAt }) => closesAt),
  );
}

const ACCOUNTS_AT_ONCE = 1_000;

/**
 * Called after accounts were written, in the same transaction: open cycles now end according to the account's present
 * zone. A cycle that has already ended there is evaluated at once.
 */
export async function moveClosings(ctx: Ctx, ecpdId: string): Promise<void> {
  const { db } = ctx;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const ends = await listOpenEnds(db, ecpdId, after, ACCOUNTS_AT_ONCE);
    const moved = ends.flatMap(({ closesAt: before, timeZone, ...end }) => {
      const closesAt = new Date(daysIn(timeZone).startOf(end.to));
      return closesAt.getTime() === before.getTime() ? [] : [{ ...end, closesAt }];
    });
    if (moved.length > 0) {
      await moveEnds(db, ecpdId, moved);
      await closeAt(
        ctx,
        ecpdId,
        moved.map(({ closesAt }) => closesAt),
      );
    }
    after = ends.at(-1)?.accountName;
  }
}
