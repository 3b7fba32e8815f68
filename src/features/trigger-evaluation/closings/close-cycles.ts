import { type Ctx, inTx } from '../../../platform/context/context.ts';
import type { PricePlanTrigger } from '../../price-plan-triggers/index.ts';
import { holdTrigger, listTriggersById, parseRule, placeRules } from '../../price-plan-triggers/index.ts';
import { type ApplyFirings, fireTriggers } from '../fire-triggers.ts';
import { findLeaders, type SumCycles } from '../levels/leaders.ts';
import type { Closing } from '../levels/level.ts';
import { levelsOf } from '../levels/levels-of.ts';
import { holdAccounts } from '../levels/sql-levels.ts';
import { closedCycle, evaluateClosing } from './evaluate-closing.ts';
import { accountsOf, closeAt, closingAt, cyclesOfClosing, ledByClosings } from './schedule.ts';
import {
  type DueClosing,
  finishClosing,
  insertClosings,
  listDue,
  lockClosing,
  postponeClosing,
  saveProgress,
} from './sql-closing.ts';
import { USAGE_NOW } from './sql-usage.ts';

const DUE_PAGE = 100;

async function findClosing(
  ctx: Ctx,
  ecpdId: string,
  trigger: PricePlanTrigger | undefined,
  due: DueClosing,
): Promise<Closing | undefined> {
  const rule = trigger?.active ? parseRule(trigger.body.pricePlanTrigger).value : undefined;
  if (rule === undefined) return undefined;
  const place = await placeRules(ctx, ecpdId, [rule]);
  return levelsOf(place(rule)).closings.find(
    ({ accountName, cycle }) => accountName === due.accountName && cycle === due.cycle,
  );
}

/** Marks the closing as done and schedules the next cycle. If that one has closed too, it is next. */
async function finish(
  ctx: Ctx,
  ecpdId: string,
  { due, cycles, closesAt }: { due: DueClosing; cycles: SumCycles; closesAt: Date },
): Promise<void> {
  await finishClosing(ctx.db, ecpdId, due, ctx.now());
  const next = closingAt(due, cycles, closesAt.getTime());
  await insertClosings(ctx.db, ecpdId, [next]);
  await closeAt(ctx, ecpdId, [next.closesAt]);
}

/**
 * Evaluates a page of lines, or a sum, in one transaction. Locks accounts, trigger and closing, in the order of trigger
 * writers.
 */
const closePart = (outer: Ctx, ecpdId: string, due: DueClosing, apply: ApplyFirings): Promise<void> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    const [trigger] = await listTriggersById(db, ecpdId, [due.triggerId]);
    const closing = await findClosing(ctx, ecpdId, trigger, due);
    const held = await holdAccounts(db, ecpdId, closing === undefined ? [] : accountsOf(closing));
    const now = await holdTrigger(db, { ecpdId, triggerId: due.triggerId }, 'share');
    // The trigger changed after it was found: the closing is still due and is found again.
    if (now?.version !== trigger?.version) return;
    const row = await lockClosing(db, ecpdId, due);
    if (row === undefined) return;
    const account = held.find(({ accountName }) => accountName === due.accountName);
    if (closing === undefined || account === undefined) {
      await finishClosing(db, ecpdId, due, ctx.now());
      return;
    }
    const owner = { ecpdId, triggerId: due.triggerId };
    const led = ledByClosings([{ ...closing, triggerId: due.triggerId }]);
    const leadersFor = await findLeaders(db, ecpdId, led);
    const cycles = cyclesOfClosing({ ...closing, triggerId: due.triggerId }, account, leadersFor);
    const closed = closedCycle(owner, due.cycle, due.opensAt.getTime(), cycles);
    if (closed.closesAt > ctx.now()) {
      // The account that was followed was deleted after the closing was scheduled.
      await postponeClosing(db, ecpdId, due, closed.closesAt);
      await closeAt(ctx, ecpdId, [closed.closesAt]);
      return;
    }
    const { candidates, next } = await evaluateClosing(db, closed, closing, row.checkedTo, USAGE_NOW);
    await fireTriggers(ctx, ecpdId, candidates, apply);
    if (next === undefined) await finish(ctx, ecpdId, { due, cycles, closesAt: closed.closesAt });
    else await saveProgress(db, ecpdId, due, next);
  });

/** Evaluates everything that is due in the profile, in the order of due times; of one time, the oldest trigger first. */
export async function closeCycles(
  ctx: Ctx,
  ecpdId: string,
  apply: ApplyFirings,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const due = await listDue(ctx.db, ecpdId, ctx.now(), DUE_PAGE);
    if (due.length === 0) return;
    for (const one of due) {
      if (signal.aborted) return;
      await closePart(ctx, ecpdId, one, apply);
    }
  }
}
