import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { CountedDays } from '../../../kernel/calendar.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Candidate } from '../candidate.ts';
import type { SumCycles } from '../levels/leaders.ts';
import type { AccountPlan, Closing, ClosingCheck, CycleAccount } from '../levels/level.ts';
import { POOL_FULL_PERCENT } from '../levels/levels-of.ts';
import { agedSince, startsUntil, wholeCycles } from './age.ts';

/** How many lines one transaction evaluates. */
const LINES_PAGE = 1_000;

/** A closed cycle, and the trigger that checks it. */
export interface ClosedCycle extends CountedDays {
  readonly ecpdId: string;
  readonly triggerId: string;
  readonly cycle: Cycle;
  /** The account whose cycle it is. */
  readonly account: CycleAccount;
  readonly cycles: SumCycles;
  /** A change of boundaries ended it early: usage below a level means nothing. */
  readonly shortened: boolean;
  readonly opensAt: Date;
  readonly closesAt: Date;
}

/** Lines of the account on these plans after `after`, ordered by key. */
export interface LinePage {
  readonly planCodes: readonly string[];
  readonly after: string | null;
  readonly limit: number;
}

export interface AgedLine {
  readonly deviceId: string;
  readonly planSince: Date;
}

/** The usage with which a closing is evaluated: the present state, or the state when the cycle closed. */
export interface ClosingUsage {
  /** Bytes of each active line in the cycle on its plan, including lines without usage. */
  listLineBytes(
    db: Db,
    closed: ClosedCycle,
    page: LinePage,
  ): Promise<readonly { readonly deviceId: string; readonly bytes: number }[]>;
  /** Lines that have been on their plan since then or earlier. */
  listAgedLines(
    db: Db,
    closed: ClosedCycle,
    aged: { readonly billCycles: number; readonly since: Date },
    page: LinePage,
  ): Promise<readonly AgedLine[]>;
  /** Each stay on a plan fires once. */
  isNewStay(line: AgedLine): boolean;
  sumBytes(db: Db, closed: ClosedCycle, members: readonly AccountPlan[]): Promise<number>;
  /** The shared allowance of the active lines. */
  sumAllowances(db: Db, closed: ClosedCycle, members: readonly AccountPlan[]): Promise<number>;
}

export function closedCycle(
  owner: Pick<ClosedCycle, 'ecpdId' | 'triggerId'>,
  cycle: Cycle,
  atMs: number,
  cycles: SumCycles,
): ClosedCycle {
  const span = cycles.cycleAt(cycle, atMs);
  return {
    ...owner,
    ...cycles.daysOf(span),
    cycle,
    cycles,
    account: cycles.leaderAt(span.fromMs),
    shortened: span.shortened,
    opensAt: new Date(span.fromMs),
    closesAt: new Date(span.toMs),
  };
}

interface EvaluatedPage {
  readonly candidates: readonly Candidate[];
  /** Where the next page begins; undefined when nothing is left. */
  readonly next: string | undefined;
}

const NOTHING: EvaluatedPage = { candidates: [], next: undefined };

/** Reached at the end of the cycle, not by a record. */
const atClosing = (
  { triggerId, account: { accountName }, opensAt, closesAt }: ClosedCycle,
  what: Pick<Candidate, 'levelKind' | 'level' | 'scope' | 'subject' | 'after' | 'threshold'>,
): Candidate => ({
  triggerId,
  accountName,
  cycle: { from: opensAt, to: closesAt },
  late: false,
  usageRecordId: null,
  before: what.after,
  ...what,
});

type Check<K extends ClosingCheck['kind']> = Extract<ClosingCheck, { kind: K }>;

async function evaluateLines(
  db: Db,
  closed: ClosedCycle,
  { planCodes, belowBytes }: Check<'lines'>,
  after: string | null,
  usage: ClosingUsage,
): Promise<EvaluatedPage> {
  const lines = await usage.listLineBytes(db, closed, { planCodes, after, limit: LINES_PAGE });
  const level = { levelKind: 'bytes', level: belowBytes, threshold: belowBytes, scope: 'device' } as const;
  return {
    candidates: lines
      .filter(({ bytes }) => bytes < belowBytes)
      .map(({ deviceId, bytes }) => atClosing(closed, { ...level, subject: deviceId, after: bytes })),
    next: lines[LINES_PAGE - 1]?.deviceId,
  };
}

/** The counter is the number of cycles, which is above the level if the trigger was created later. */
async function evaluateAge(
  db: Db,
  closed: ClosedCycle,
  { planCodes, billCycles }: Check<'age'>,
  after: string | null,
  usage: ClosingUsage,
): Promise<EvaluatedPage> {
  const starts = startsUntil(closed);
  const aged = { billCycles, since: agedSince(starts, billCycles) };
  const lines = await usage.listAgedLines(db, closed, aged, { planCodes, after, limit: LINES_PAGE });
  const level = {
    levelKind: 'billCycles',
    level: billCycles,
    threshold: billCycles,
    scope: 'device',
  } as const;
  return {
    candidates: lines.filter(usage.isNewStay).map(({ deviceId, planSince }) => {
      const age = wholeCycles(starts, planSince);
      return { ...atClosing(closed, { ...level, subject: deviceId, after: age }), before: age - 1 };
    }),
    next: lines[LINES_PAGE - 1]?.deviceId,
  };
}

/** What is checked together is filed under the account whose cycle it is while it is watched, then under the first. */
function filed(candidate: Candidate, members: readonly AccountPlan[]): Candidate {
  const isWatched = members.some(({ accountName }) => accountName === candidate.accountName);
  return isWatched ? candidate : { ...candidate, accountName: members[0]!.accountName };
}

async function evaluateTotal(
  db: Db,
  closed: ClosedCycle,
  { scope, subject, members, belowBytes }: Check<'total'>,
  usage: ClosingUsage,
): Promise<readonly Candidate[]> {
  const after = await usage.sumBytes(db, closed, members);
  const level = { levelKind: 'bytes', level: belowBytes, threshold: belowBytes } as const;
  return after < belowBytes ? [filed(atClosing(closed, { ...level, scope, subject, after }), members)] : [];
}

async function evaluatePool(
  db: Db,
  closed: ClosedCycle,
  { subject, members, percents, below }: Check<'pool'>,
  usage: ClosingUsage,
): Promise<readonly Candidate[]> {
  const allowed = await usage.sumAllowances(db, closed, members);
  if (allowed <= 0) return [];
  const after = await usage.sumBytes(db, closed, members);
  const counted = { scope: 'sum', subject, after } as const;
  const reached = percents
    .map((level) => ({ levelKind: 'percent', level, threshold: (allowed * level) / 100 }) as const)
    .filter(({ threshold }) => after >= threshold);
  const unused = { levelKind: 'poolBelow', level: POOL_FULL_PERCENT, threshold: allowed } as const;
  const isUnused = below && !closed.shortened && after < allowed;
  return [...reached, ...(isUnused ? [unused] : [])].map((level) =>
    filed(atClosing(closed, { ...level, ...counted }), members),
  );
}

/** Evaluates one page of what a trigger checks when a cycle has closed, after the line where the previous page ended. */
export async function evaluateClosing(
  db: Db,
  closed: ClosedCycle,
  { check }: Closing,
  after: string | null,
  usage: ClosingUsage,
): Promise<EvaluatedPage> {
  switch (check.kind) {
    case 'lines':
      return closed.shortened ? NOTHING : evaluateLines(db, closed, check, after, usage);
    case 'age':
      return evaluateAge(db, closed, check, after, usage);
    case 'total':
      if (closed.shortened) return NOTHING;
      return { candidates: await evaluateTotal(db, closed, check, usage), next: undefined };
    case 'pool':
      return { candidates: await evaluatePool(db, closed, check, usage), next: undefined };
  }
}
