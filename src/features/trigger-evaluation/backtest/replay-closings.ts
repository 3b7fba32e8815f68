import { addDays, cycleOf } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import type { Candidate } from '../candidate.ts';
import { agedSince } from '../closings/age.ts';
import type { Closing } from '../closings/closings-of.ts';
import {
  agedCandidate,
  type ClosedCycle,
  closedCycle,
  type EvaluatedPage,
  evaluateLines,
  evaluatePool,
  evaluateTotal,
  LINES_PAGE,
} from '../closings/evaluate-closing.ts';
import type { CycleAccount } from '../closings/schedule.ts';
import type { Period } from './counters.ts';
import { listLinesSince, THEN } from './sql-past.ts';

interface PastClosing {
  readonly closing: Closing;
  readonly closed: ClosedCycle;
}

/** Cycles whose last day is in the period, and that have closed by now. */
function pastClosings(
  ctx: Ctx,
  ecpdId: string,
  closing: Closing,
  { period, account }: { period: Period; account: CycleAccount },
): readonly PastClosing[] {
  const found: PastClosing[] = [];
  const owner = { ecpdId, triggerId: '', cycle: closing.cycle };
  for (let day = period.from; day <= period.to; ) {
    const span = cycleOf(closing.cycle, day, account.billCycleDay);
    const closed = closedCycle(owner, span, account);
    if (addDays(span.to, -1) <= period.to && closed.closesAt <= ctx.now()) found.push({ closing, closed });
    day = span.to;
  }
  return found;
}

async function evaluatePast(
  { db }: Ctx,
  { closing: { check }, closed }: PastClosing,
  after: string | null,
  aged: Set<string>,
): Promise<EvaluatedPage> {
  switch (check.kind) {
    case 'lines':
      return evaluateLines(db, closed, check, after, THEN);
    case 'total':
      return evaluateTotal(db, closed, check, THEN);
    case 'pool':
      // What a pool has reached is seen together with what its records have.
      return check.below
        ? evaluatePool(db, closed, { ...check, percents: [] }, THEN)
        : { candidates: [], next: undefined };
    case 'age': {
      const { planCodes, billCycles } = check;
      const { ecpdId, account, closesAt } = closed;
      const lines = await listLinesSince(
        db,
        { ecpdId, accountName: account.accountName },
        { until: agedSince(closed, billCycles), closesAt },
        { planCodes, after, limit: LINES_PAGE },
      );
      const next = lines.length < LINES_PAGE ? undefined : lines.at(-1)?.deviceId;
      const fresh = lines.filter((line) => {
        const stay = `${line.deviceId} ${line.planSince.getTime()}`;
        return !aged.has(stay) && aged.add(stay);
      });
      return { candidates: fresh.map((line) => agedCandidate(closed, billCycles, line)), next };
    }
  }
}

/** So many cycles of accounts are looked at. */
const CLOSINGS_MAX = 10_000;

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
  const past: PastClosing[] = [];
  for (const closing of closings) {
    if (past.length > CLOSINGS_MAX) break;
    const account = accounts.get(closing.accountName);
    if (account !== undefined) past.push(...pastClosings(ctx, ecpdId, closing, { period, account }));
  }
  past.sort((a, b) => a.closed.closesAt.getTime() - b.closed.closesAt.getTime());
  const candidates: Candidate[] = [];
  // Each stay on a plan is told once; there are no more of them than candidates.
  const aged = new Set<string>();
  for (const one of past.slice(0, CLOSINGS_MAX)) {
    let after: string | null | undefined = null;
    while (after !== undefined) {
      if (signal.aborted || candidates.length > limit) return { candidates, truncated: true };
      const page: EvaluatedPage = await evaluatePast(ctx, one, after, aged);
      candidates.push(...page.candidates);
      after = page.next;
    }
  }
  return { candidates, truncated: past.length > CLOSINGS_MAX };
}
