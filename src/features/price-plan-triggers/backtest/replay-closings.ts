import { addDays, cycleOf } from '../../../kernel/bill-cycle.ts';
import type { Ctx } from '../../../platform/context.ts';
import { agedSince } from '../closing/age.ts';
import type { Closing } from '../closing/closings-of.ts';
import {
  agedCandidate,
  type ClosedCycle,
  closedCycle,
  type JudgedPage,
  judgeLines,
  judgePool,
  judgeTotal,
  LINES_PAGE,
} from '../closing/judge.ts';
import type { CycleAccount } from '../closing/schedule.ts';
import { listLinesSince } from '../closing/sql-judge.ts';
import type { Candidate } from '../evaluation/candidate.ts';
import type { Period } from './counters.ts';

interface PastClosing {
  readonly closing: Closing;
  readonly closed: ClosedCycle;
  /** The same of the cycle before, where that has ended in the period too. */
  readonly before: ClosedCycle | undefined;
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
    if (addDays(span.to, -1) <= period.to && closed.closesAt <= ctx.now())
      found.push({ closing, closed, before: found.at(-1)?.closed });
    day = span.to;
  }
  return found;
}

async function judgePast(
  { db }: Ctx,
  { closing: { judged }, closed, before }: PastClosing,
  after: string | null,
): Promise<JudgedPage> {
  switch (judged.kind) {
    case 'lines':
      return judgeLines(db, closed, judged, after);
    case 'total':
      return judgeTotal(db, closed, judged);
    case 'pool':
      // What a pool has reached is seen from the records.
      return judged.below
        ? judgePool(db, closed, { ...judged, percents: [] })
        : { candidates: [], next: undefined };
    case 'age': {
      const { planCodes, billCycles } = judged;
      const { ecpdId, account } = closed;
      const lines = await listLinesSince(
        db,
        { ecpdId, accountName: account.accountName },
        { after: before && agedSince(before, billCycles), until: agedSince(closed, billCycles) },
        { planCodes, after, limit: LINES_PAGE },
      );
      const next = lines.length < LINES_PAGE ? undefined : lines.at(-1)?.deviceId;
      return { candidates: lines.map((line) => agedCandidate(closed, billCycles, line)), next };
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
  for (const one of past.slice(0, CLOSINGS_MAX)) {
    let after: string | null | undefined = null;
    while (after !== undefined) {
      if (signal.aborted || candidates.length > limit) return { candidates, truncated: true };
      const page: JudgedPage = await judgePast(ctx, one, after);
      candidates.push(...page.candidates);
      after = page.next;
    }
  }
  return { candidates, truncated: past.length > CLOSINGS_MAX };
}
