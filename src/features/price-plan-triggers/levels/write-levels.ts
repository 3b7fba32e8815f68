import { addDays, type Cycle, cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { daysIn, timeliness, waitForUnwatched } from '../../usage/index.ts';
import { closingsOf } from '../closing/closings-of.ts';
import { scheduleClosings } from '../closing/schedule.ts';
import { listCycles } from '../evaluation/sql-counters.ts';
import type { Rule } from '../rule.ts';
import { levelsOf } from './levels-of.ts';
import { placeRules } from './read-surroundings.ts';
import {
  deleteLevels,
  type HeldAccount,
  holdAccounts,
  insertBehind,
  insertLevels,
  insertSums,
  listLookedAtAccounts,
  type OpenCycle,
} from './sql-levels.ts';

export interface WrittenTrigger {
  readonly triggerId: string;
  readonly active: boolean;
  readonly rule: Rule;
}

/** Late usage is told for three days: so far back begin the cycles that a trigger can still fire in. */
const DAYS_BACK = 4;

/** The open cycle, and those that closed so lately that usage which comes for them is still told. */
function cyclesThatCount(
  { accountName, timeZone, billCycleDay }: HeldAccount,
  cycle: Cycle,
  nowMs: number,
): OpenCycle[] {
  const { dayAt, startOf } = daysIn(timeZone);
  const found = new Map<LocalDay, OpenCycle>();
  for (let back = 0; back <= DAYS_BACK; back++) {
    const span = cycleOf(cycle, addDays(dayAt(nowMs), -back), billCycleDay);
    if (timeliness(startOf(span.to), nowMs) !== 'over') found.set(span.from, { accountName, cycle, ...span });
  }
  return [...found.values()];
}

/**
 * What arriving usage is compared with from now on, for triggers that were written, in the transaction that wrote them.
 * Nothing fires by it: a counter that is beyond a level already fires with its next usage.
 */
export async function writeLevels(
  ctx: Ctx,
  ecpdId: string,
  triggers: readonly WrittenTrigger[],
): Promise<void> {
  if (triggers.length === 0) return;
  const { db } = ctx;
  const active = triggers.filter((trigger) => trigger.active);
  const place = await placeRules(
    ctx,
    ecpdId,
    active.map(({ rule }) => rule),
  );
  const written = active.map(({ triggerId, rule }) => {
    const placed = place(rule);
    return { triggerId, ...levelsOf(placed.rule, placed.surroundings), closings: closingsOf(placed) };
  });
  const counters = written.flatMap(({ triggerId, counters }) =>
    counters.map((level) => ({ triggerId, ...level })),
  );
  const sums = written.flatMap(({ triggerId, sums }) => sums.map((sum) => ({ triggerId, ...sum })));
  const closings = written.flatMap(({ triggerId, closings }) =>
    closings.map(({ accountName, cycle }) => ({ triggerId, accountName, cycle })),
  );
  const triggerIds = triggers.map(({ triggerId }) => triggerId);
  const looked = new Set([
    ...(await listLookedAtAccounts(db, ecpdId, triggerIds)),
    ...counters.map(({ accountName }) => accountName),
    ...sums.flatMap(({ members }) => members.map(({ accountName }) => accountName)),
    ...closings.map(({ accountName }) => accountName),
  ]);
  const accounts = await holdAccounts(db, ecpdId, [...looked]);
  // Of a profile with levels every batch is compared: whoever writes the first waits for those that are not.
  if (counters.length + sums.length > 0 && (await listCycles(db, ecpdId)).length === 0)
    await waitForUnwatched(db, ecpdId);
  await scheduleClosings(ctx, ecpdId, { triggerIds, closings, accounts });
  await deleteLevels(db, ecpdId, triggerIds);
  if (sums.length > 0) await insertSums(db, ecpdId, sums);
  if (counters.length === 0) return;
  await insertLevels(db, ecpdId, counters);
  const cycles = new Set(counters.map(({ cycle }) => cycle));
  const open = accounts.flatMap((account) =>
    [...cycles].flatMap((cycle) => cyclesThatCount(account, cycle, ctx.now().getTime())),
  );
  await insertBehind(db, ecpdId, triggerIds, open);
}
