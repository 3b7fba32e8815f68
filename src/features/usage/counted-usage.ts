import type { Cycle, LocalDay } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { type CountedRecord, grownBy, planOf } from './ledger.ts';
import { addMonths, bytesIn, type Line, type LineMonth, type Lines } from './line-months.ts';
import { sumAccountDays } from './sql-cycle.ts';
import type { Evaluation, UsageCycle } from './usage-cycle.ts';

/** How a counter grew in a cycle, and the records that made it grow, in feed order. */
export interface CounterChange {
  readonly accountName: string;
  /** Undefined: the account's own counter. */
  readonly deviceId: string | undefined;
  /** Empty: not known. */
  readonly planCode: string;
  readonly span: UsageCycle;
  readonly beforeBytes: number;
  readonly afterBytes: number;
  readonly records: readonly CountedRecord[];
}

/** One increase of a counter. */
export interface Step {
  /** Null: caused by a change of plan. */
  readonly id: string | null;
  readonly bytes: number;
}

/** Selects the counters and growths to list; undefined selects none. Called once for each account, plan and cycle. */
export type Wanted = (
  accountName: string,
  planCode: string,
  cycle: Cycle,
) => ((beforeBytes: number, afterBytes: number) => boolean) | undefined;

/** What a batch added to a profile, and the resulting counters. Valid until the transaction ends. */
export interface CountedUsage {
  /** The new data records, in feed order. */
  readonly records: readonly CountedRecord[];
  /** Usage that a change of plan took from other plans for these records, as negative bytes. */
  readonly taken: readonly CountedRecord[];
  /** Set where usage was moved and no new usage arrived. */
  readonly cause: 'planChange' | undefined;
  /** The steps in which some of `records` and `taken` made a counter grow, in order. */
  readonly stepsOf: (some: readonly CountedRecord[]) => readonly Step[];
  readonly accountNames: readonly string[];
  /** For accounts of the batch only. */
  readonly cycleAt: (accountName: string, day: LocalDay, cycle: Cycle) => UsageCycle;
  readonly changesOfLines: (wanted: Wanted) => CounterChange[];
  readonly changesOfAccounts: (db: Db, wanted: Wanted) => Promise<CounterChange[]>;
}

/** A cycle for which changes of an account's lines on a plan are wanted. */
interface WantedCycle {
  readonly cycle: Cycle;
  readonly isWanted: NonNullable<ReturnType<Wanted>>;
}

/** Called for each line of a batch. The answer is the same for all lines of an account and plan, so it is cached. */
function rememberWanted(cycles: readonly Cycle[], wanted: Wanted) {
  const known = new Map<string, Map<string, readonly WantedCycle[]>>();
  return ({ accountName, planCode }: Line): readonly WantedCycle[] => {
    const byPlan = known.get(accountName) ?? new Map<string, readonly WantedCycle[]>();
    if (byPlan.size === 0) known.set(accountName, byPlan);
    const found = byPlan.get(planCode);
    if (found !== undefined) return found;
    const made = cycles.flatMap((cycle) => {
      const isWanted = wanted(accountName, planCode, cycle);
      return isWanted === undefined ? [] : [{ cycle, isWanted }];
    });
    byPlan.set(planCode, made);
    return made;
  };
}

/**
 * Groups records of an account by cycle. The cycle's key is an existing string. There is almost always
 * one cycle, because records arrive soon after each other.
 */
function byCycle(some: readonly CountedRecord[], { cycleAt }: Evaluation, cycle: Cycle) {
  const cycleFor = ({ accountName, day }: CountedRecord) => cycleAt(accountName, day, cycle);
  const first = cycleFor(some[0]!);
  if (
    some.every(({ day }) => day === some[0]!.day) ||
    some.every((record) => cycleFor(record).key === first.key)
  )
    return [[first, some] as const];
  const groups = [...Map.groupBy(some, (record) => cycleFor(record).key).values()];
  return groups.map((group) => [cycleFor(group[0]!), group] as const);
}

function changesOfLines(lines: readonly Line[], evaluation: Evaluation, wanted: Wanted): CounterChange[] {
  const cyclesOf = rememberWanted(evaluation.cycles, wanted);
  const changes: CounterChange[] = [];
  for (const line of lines) {
    const { accountName, deviceId, planCode } = line;
    for (const { cycle, isWanted } of cyclesOf(line)) {
      for (const [span, records] of byCycle(line.records, evaluation, cycle)) {
        const { beforeBytes, afterBytes } = grownBy(bytesIn(line, span), records);
        if (isWanted(beforeBytes, afterBytes))
          changes.push({ accountName, deviceId, planCode, span, beforeBytes, afterBytes, records });
      }
    }
  }
  return changes;
}

/** Groups records by account and plan, in order. Like `linesOf`, it uses only existing strings as keys. */
export function byAccountAndPlan(records: readonly CountedRecord[]): readonly (readonly CountedRecord[])[] {
  const byPlan = new Map<string, Map<string, CountedRecord[]>>();
  const all: CountedRecord[][] = [];
  for (const record of records) {
    const planCode = planOf(record);
    const byAccount = byPlan.get(planCode) ?? new Map<string, CountedRecord[]>();
    if (byAccount.size === 0) byPlan.set(planCode, byAccount);
    const known = byAccount.get(record.accountName);
    if (known !== undefined) {
      known.push(record);
      continue;
    }
    const made = [record];
    byAccount.set(record.accountName, made);
    all.push(made);
  }
  return all;
}

async function changesOfAccounts(
  db: Db,
  { ecpdId, records }: Counted,
  evaluation: Evaluation,
  wanted: Wanted,
): Promise<CounterChange[]> {
  const found = byAccountAndPlan(records).flatMap((some) => {
    const { accountName } = some[0]!;
    const planCode = planOf(some[0]!);
    return evaluation.cycles.flatMap((cycle) => {
      const isWanted = wanted(accountName, planCode, cycle);
      if (isWanted === undefined) return [];
      return byCycle(some, evaluation, cycle).map(([span, own]) => {
        return { isWanted, change: { accountName, deviceId: undefined, planCode, span, records: own } };
      });
    });
  });
  if (found.length === 0) return [];
  const totals = await sumAccountDays(
    db,
    ecpdId,
    found.map(({ change: { accountName, planCode, span } }) => {
      return { ...span, accountName, planCode };
    }),
  );
  return found.flatMap(({ isWanted, change }, n) => {
    const { beforeBytes, afterBytes } = grownBy(totals[n]!, change.records);
    return isWanted(beforeBytes, afterBytes) ? [{ ...change, afterBytes, beforeBytes }] : [];
  });
}

interface Counted {
  readonly ecpdId: string;
  readonly records: readonly CountedRecord[];
  /** The lines of these records. */
  readonly lines: Lines;
  /** The line counters that the batch wrote. */
  readonly counted: readonly LineMonth[];
}

/** The caller holds the accounts, so nothing else adds to the counters that are read here. */
export async function loadCounted(db: Db, counted: Counted, evaluation: Evaluation): Promise<CountedUsage> {
  const { ecpdId, records, lines } = counted;
  await addMonths(db, ecpdId, counted, evaluation);
  return {
    records,
    taken: [],
    cause: undefined,
    stepsOf: (some) => some,
    accountNames: [...new Set(records.map(({ accountName }) => accountName))],
    cycleAt: evaluation.cycleAt,
    changesOfLines: (wanted) => changesOfLines(lines.all, evaluation, wanted),
    changesOfAccounts: (tx, wanted) => changesOfAccounts(tx, counted, evaluation, wanted),
  };
}
