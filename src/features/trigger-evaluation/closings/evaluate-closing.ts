import type { Cycle, CycleDays } from '../../../kernel/bill-cycle.ts';
import type { Db } from '../../../platform/db/db.ts';
import { daysIn } from '../../usage/index.ts';
import type { Candidate } from '../candidate.ts';
import { POOL_FULL_PERCENT } from '../levels/levels-of.ts';
import { agedSince, wholeCycles } from './age.ts';
import type { Closing, ClosingCheck } from './closings-of.ts';
import type { CycleAccount } from './schedule.ts';
import { type AgedLine, listLineBytes, sumAllowances, sumBytes, takeAgedLines } from './sql-usage.ts';

/** What is looked at: as it is now, or as it was when the cycle closed. */
export interface Reads {
  readonly listLineBytes: typeof listLineBytes;
  readonly sumBytes: typeof sumBytes;
  readonly sumAllowances: typeof sumAllowances;
}

export const NOW: Reads = { listLineBytes, sumBytes, sumAllowances };

/** Lines of one transaction. */
export const LINES_PAGE = 1_000;

/** A cycle of an account that has closed, and who judges it. */
export interface ClosedCycle extends CycleDays {
  readonly ecpdId: string;
  readonly triggerId: string;
  readonly account: CycleAccount;
  readonly cycle: Cycle;
  readonly opensAt: Date;
  readonly closesAt: Date;
}

export function closedCycle(
  owner: Pick<ClosedCycle, 'ecpdId' | 'triggerId' | 'cycle'>,
  { from, to }: CycleDays,
  account: CycleAccount,
): ClosedCycle {
  const { startOf } = daysIn(account.timeZone);
  const [opensAt, closesAt] = [new Date(startOf(from)), new Date(startOf(to))];
  return { ...owner, from, to, account, opensAt, closesAt };
}

export interface EvaluatedPage {
  readonly candidates: readonly Candidate[];
  /** Where to go on; absent when nothing is left. */
  readonly next: string | undefined;
}

/** No record reached it: the counter stood there when the cycle closed. */
export const atClosing = (
  { triggerId, account: { accountName }, cycle, opensAt, closesAt }: ClosedCycle,
  what: Pick<
    Candidate,
    'levelKind' | 'level' | 'scope' | 'subject' | 'beforeBytes' | 'afterBytes' | 'thresholdBytes'
  >,
): Candidate => ({ triggerId, accountName, cycle, opensAt, closesAt, late: false, recordId: null, ...what });

const nextOf = (deviceIds: readonly string[]) =>
  deviceIds.length < LINES_PAGE ? undefined : deviceIds[deviceIds.length - 1];

type Kind<K extends ClosingCheck['kind']> = Extract<ClosingCheck, { kind: K }>;

export async function evaluateLines(
  db: Db,
  closed: ClosedCycle,
  { planCodes, belowBytes }: Kind<'lines'>,
  after: string | null,
  reads: Reads,
): Promise<EvaluatedPage> {
  const { ecpdId, account } = closed;
  const lines = await reads.listLineBytes(db, { ecpdId, accountName: account.accountName }, closed, {
    planCodes,
    after,
    limit: LINES_PAGE,
  });
  const candidates = lines
    .filter(({ bytes }) => bytes < belowBytes)
    .map(({ deviceId, bytes }) =>
      atClosing(closed, {
        levelKind: 'bytes',
        level: belowBytes,
        scope: 'device',
        subject: deviceId,
        beforeBytes: bytes,
        afterBytes: bytes,
        thresholdBytes: belowBytes,
      }),
    );
  return { candidates, next: nextOf(lines.map(({ deviceId }) => deviceId)) };
}

/** Its counter is what it has come to, which is more than the level where the trigger came after it. */
export function agedCandidate(
  closed: ClosedCycle,
  billCycles: number,
  { deviceId, planSince }: AgedLine,
): Candidate {
  const age = wholeCycles(closed, planSince);
  return atClosing(closed, {
    levelKind: 'billCycles',
    level: billCycles,
    scope: 'device',
    subject: deviceId,
    beforeBytes: age - 1,
    afterBytes: age,
    thresholdBytes: billCycles,
  });
}

async function evaluateAge(
  db: Db,
  closed: ClosedCycle,
  { planCodes, billCycles }: Kind<'age'>,
  after: string | null,
): Promise<EvaluatedPage> {
  const { ecpdId, triggerId, account } = closed;
  const lines = await takeAgedLines(
    db,
    { ecpdId, accountName: account.accountName },
    { triggerId, billCycles, since: agedSince(closed, billCycles) },
    { planCodes, after, limit: LINES_PAGE },
  );
  return {
    candidates: lines.map((line) => agedCandidate(closed, billCycles, line)),
    next: nextOf(lines.map(({ deviceId }) => deviceId)),
  };
}

export async function evaluateTotal(
  db: Db,
  closed: ClosedCycle,
  { scope, subject, members, belowBytes }: Kind<'total'>,
  reads: Reads,
): Promise<EvaluatedPage> {
  const bytes = await reads.sumBytes(db, closed.ecpdId, members, closed);
  const level = { levelKind: 'bytes', level: belowBytes, thresholdBytes: belowBytes } as const;
  const counted = { scope, subject, beforeBytes: bytes, afterBytes: bytes };
  const candidates = bytes < belowBytes ? [atClosing(closed, { ...level, ...counted })] : [];
  return { candidates, next: undefined };
}

export async function evaluatePool(
  db: Db,
  closed: ClosedCycle,
  { subject, members, percents, below }: Kind<'pool'>,
  reads: Reads,
): Promise<EvaluatedPage> {
  const poolBytes = await reads.sumAllowances(db, closed.ecpdId, members, closed);
  if (poolBytes <= 0) return { candidates: [], next: undefined };
  const bytes = await reads.sumBytes(db, closed.ecpdId, members, closed);
  const counted = { scope: 'sum', subject, beforeBytes: bytes, afterBytes: bytes } as const;
  const reached = percents
    .map((level) => ({ level, thresholdBytes: (poolBytes * level) / 100 }))
    .filter(({ thresholdBytes }) => bytes >= thresholdBytes)
    .map((level) => atClosing(closed, { levelKind: 'percent', ...level, ...counted }));
  const unused =
    below && bytes < poolBytes
      ? [
          atClosing(closed, {
            levelKind: 'poolBelow',
            level: POOL_FULL_PERCENT,
            thresholdBytes: poolBytes,
            ...counted,
          }),
        ]
      : [];
  return { candidates: [...reached, ...unused], next: undefined };
}

/** A part of what a trigger judges when a cycle has closed, after the line where the part before has ended. */
export function evaluateClosing(
  db: Db,
  closed: ClosedCycle,
  { check }: Closing,
  after: string | null,
): Promise<EvaluatedPage> {
  switch (check.kind) {
    case 'lines':
      return evaluateLines(db, closed, check, after, NOW);
    case 'age':
      return evaluateAge(db, closed, check, after);
    case 'total':
      return evaluateTotal(db, closed, check, NOW);
    case 'pool':
      return evaluatePool(db, closed, check, NOW);
  }
}
