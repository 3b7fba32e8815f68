import { addDays } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import type { Candidate } from '../candidate.ts';
import { type ClosedCycle, closedCycle, evaluateClosing } from '../closings/evaluate-closing.ts';
import { cyclesOfAccount } from '../levels/leaders.ts';
import type { Closing, CycleAccount } from '../levels/level.ts';
import type { Period } from './counters.ts';
import { usageThen } from './sql-past.ts';

interface PastClosing {
  readonly closing: Closing;
  readonly closed: ClosedCycle;
}

/** At most this many cycles of accounts are evaluated. */
const CLOSINGS_MAX = 10_000;

/** The replay of records covers the percentages that a pool reached; this keeps only the check for an unused pool. */
const withoutPercents = ({ check, ...closing }: Closing): Closing[] =>
  check.kind !== 'pool'
    ? [{ ...closing, check }]
    : check.below
      ? [{ ...closing, check: { ...check, percents: [] } }]
      : [];

/** Cycles whose last day is in the period and that have closed by now; earliest first. */
function pastClosings(
  ctx: Ctx,
  ecpdId: string,
  closings: readonly Closing[],
  period: Period,
  accounts: ReadonlyMap<string, CycleAccount>,
): readonly PastClosing[] {
  const found: PastClosing[] = [];
  for (const closing of closings.flatMap(withoutPercents)) {
    const account = accounts.get(closing.accountName);
    if (account === undefined) continue;
    if (found.length > CLOSINGS_MAX) break;
    const cycles = cyclesOfAccount(account);
    const endMs = cycles.startOf(addDays(period.to, 1));
    for (let atMs = cycles.startOf(period.from); atMs < endMs; ) {
      const closed = closedCycle({ ecpdId, triggerId: '' }, closing.cycle, atMs, cycles);
      atMs = closed.closesAt.getTime();
      if (atMs <= endMs && closed.closesAt <= ctx.now()) found.push({ closing, closed });
    }
  }
  return found.sort((a, b) => a.closed.closesAt.getTime() - b.closed.closesAt.getTime());
}

/** What would have fired when cycles closed, earliest first. */
export async function replayClosings(
  ctx: Ctx,
  ecpdId: string,
  closings: readonly Closing[],
  {
    period,
    accounts,
    limit,
    signal,
  }: {
    period: Period;
    accounts: ReadonlyMap<string, CycleAccount>;
    limit: number;
    signal: AbortSignal;
  },
): Promise<{ candidates: readonly Candidate[]; truncated: boolean }> {
  const past = pastClosings(ctx, ecpdId, closings, period, accounts);
  const usage = usageThen(new Set());
  const candidates: Candidate[] = [];
  for (const { closed, closing } of past.slice(0, CLOSINGS_MAX)) {
    for (let after: string | null | undefined = null; after !== undefined; ) {
      if (signal.aborted || candidates.length > limit) return { candidates, truncated: true };
      const page = await evaluateClosing(ctx.db, closed, closing, after, usage);
      candidates.push(...page.candidates);
      after = page.next;
    }
  }
  return { candidates, truncated: past.length > CLOSINGS_MAX };
}
