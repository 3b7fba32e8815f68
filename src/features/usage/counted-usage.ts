import { addDays, type Cycle, type LocalDay, monthOf } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import type { LedgerAccount, LedgerRecord } from './ledger.ts';
import { listMonthsOfLines, type MonthOfLine, sumAccountDays } from './sql-cycle.ts';
import { cycleFinder, type UsageCycle, type WatchedDays } from './usage-cycle.ts';

/** How a counter grew in a cycle, and by which records, in the order of the feed. */
export interface CounterChange {
  readonly accountName: string;
  /** Undefined: the account's own counter. */
  readonly deviceId: string | undefined;
  /** Empty: not known. */
  readonly planCode: string;
  readonly span: UsageCycle;
  readonly beforeBytes: number;
  readonly afterBytes: number;
  readonly records: readonly LedgerRecord[];
}

/** Says for which counters a change is asked. */
export type Wanted = (accountName: string, planCode: string, cycle: Cycle) => boolean;

/** What a batch added to a profile, and what its counters stand at with it, until the transaction has ended. */
export interface CountedUsage {
  /** The new records of data, in the order of the feed. */
  readonly records: readonly LedgerRecord[];
  readonly accountNames: readonly string[];
  /** Of an account of the batch. */
  readonly cycleAt: (accountName: string, day: LocalDay, cycle: Cycle) => UsageCycle;
  readonly changesOfLines: (wanted: Wanted) => CounterChange[];
  readonly changesOfAccounts: (db: Db, wanted: Wanted) => Promise<CounterChange[]>;
}

/** The counter of a line as the batch has left it: bytes of the watched days of the month. */
export type LineMonth = readonly [
  deviceId: string,
  planCode: string,
  month: LocalDay,
  dayBytes: readonly number[],
];

interface Line {
  readonly accountName: string;
  readonly deviceId: string;
  readonly planCode: string;
  readonly records: LedgerRecord[];
  /** By month: bytes of days from the one that is named `first` on. */
  readonly months: Map<LocalDay, { readonly first: number; readonly dayBytes: readonly number[] }>;
}

export const planOf = ({ planCode }: LedgerRecord): string => planCode ?? '';

function linesOf(
  records: readonly LedgerRecord[],
  watched: readonly WatchedDays[],
  months: readonly LineMonth[],
): Line[] {
  const lines = new Map<string, Line>();
  for (const record of records) {
    const { accountName, deviceId } = record;
    const planCode = planOf(record);
    const key = `${deviceId} ${planCode}`;
    const line = lines.get(key);
    if (line === undefined)
      lines.set(key, { accountName, deviceId, planCode, records: [record], months: new Map() });
    else line.records.push(record);
  }
  const firstDays = new Map(watched.map(({ month, first }) => [month, first]));
  for (const [deviceId, planCode, month, dayBytes] of months)
    lines.get(`${deviceId} ${planCode}`)?.months.set(month, { first: firstDays.get(month) ?? 1, dayBytes });
  return [...lines.values()];
}

function bytesIn({ months }: Line, { parts }: UsageCycle): number {
  let sum = 0;
  for (const { month, first, last } of parts) {
    const known = months.get(month);
    if (known === undefined) continue;
    for (let day = first; day <= last; day++) sum += known.dayBytes[day - known.first] ?? 0;
  }
  return sum;
}

const sumOf = (records: readonly LedgerRecord[]) => records.reduce((sum, { bytes }) => sum + bytes, 0);

/** What a batch is looked at for. */
export interface Watch {
  readonly cycleAt: CountedUsage['cycleAt'];
  readonly cycles: readonly Cycle[];
  /** What the statement that counts has to answer of the counters that it writes. */
  readonly days: readonly WatchedDays[];
  /** Nothing is counted in the future. */
  readonly latestDay: LocalDay;
}

export function watchFor(
  records: readonly LedgerRecord[],
  accounts: ReadonlyMap<string, LedgerAccount>,
  cycles: readonly Cycle[],
  nowMs: number,
): Watch {
  const cycleAt = cycleFinder(accounts, nowMs);
  // Zones are up to a day apart.
  const latestDay = addDays(new Date(nowMs).toISOString().slice(0, 10), 1);
  const latest = { month: monthOf(latestDay), day: Number(latestDay.slice(8)) };
  const days = new Map<LocalDay, WatchedDays>();
  const spans = new Set(
    records.flatMap(({ accountName, day }) => cycles.map((cycle) => cycleAt(accountName, day, cycle))),
  );
  for (const { month, first, last } of [...spans].flatMap(({ parts }) => parts)) {
    const known = days.get(month) ?? { first, last: first };
    const end = month === latest.month ? Math.min(last, latest.day) : last;
    days.set(month, { month, first: Math.min(first, known.first), last: Math.max(end, known.last) });
  }
  return { cycleAt, cycles, days: [...days.values()], latestDay };
}

export interface Counted {
  readonly ecpdId: string;
  readonly records: readonly LedgerRecord[];
  /** The counters of lines that the batch wrote. */
  readonly months: readonly LineMonth[];
}

/** The caller holds the accounts: nobody else adds to what is read here. */
export async function readCounted(
  db: Db,
  { ecpdId, records, months }: Counted,
  { cycleAt, cycles, days, latestDay }: Watch,
): Promise<CountedUsage> {
  const lines = linesOf(records, days, months);

  // A cycle that began in the month before, or has gone on in the one after, is in rows that the batch did not write.
  const otherMonths: (MonthOfLine & { line: Line })[] = [];
  for (const line of lines) {
    const { accountName, deviceId, planCode } = line;
    const missing = new Set<LocalDay>();
    for (const { day } of line.records)
      for (const cycle of cycles)
        for (const { month } of cycleAt(accountName, day, cycle).parts)
          if (month <= latestDay && !line.months.has(month)) missing.add(month);
    for (const month of missing) otherMonths.push({ line, accountName, deviceId, planCode, month });
  }
  if (otherMonths.length > 0)
    for (const { nth, dayBytes } of await listMonthsOfLines(db, ecpdId, otherMonths)) {
      const { line, month } = otherMonths[nth - 1]!;
      line.months.set(month, { first: 1, dayBytes });
    }

  return {
    records,
    accountNames: [...new Set(records.map(({ accountName }) => accountName))],
    cycleAt,
    changesOfLines(wanted) {
      const changes: CounterChange[] = [];
      for (const line of lines) {
        const { accountName, deviceId, planCode } = line;
        for (const cycle of cycles) {
          if (!wanted(accountName, planCode, cycle)) continue;
          for (const [span, some] of Map.groupBy(line.records, ({ day }) =>
            cycleAt(accountName, day, cycle),
          )) {
            const afterBytes = bytesIn(line, span);
            const beforeBytes = afterBytes - sumOf(some);
            changes.push({ accountName, deviceId, planCode, span, beforeBytes, afterBytes, records: some });
          }
        }
      }
      return changes;
    },
    async changesOfAccounts(db, wanted) {
      const found = [
        ...Map.groupBy(records, (record) => `${record.accountName} ${planOf(record)}`).values(),
      ].flatMap((some) => {
        const { accountName } = some[0]!;
        const planCode = planOf(some[0]!);
        return cycles
          .filter((cycle) => wanted(accountName, planCode, cycle))
          .flatMap((cycle) => [...Map.groupBy(some, ({ day }) => cycleAt(accountName, day, cycle))])
          .map(([span, records]) => ({ accountName, deviceId: undefined, planCode, span, records }));
      });
      if (found.length === 0) return [];
      const totals = await sumAccountDays(
        db,
        ecpdId,
        found.map(({ accountName, planCode, span: { from, to } }) => ({ accountName, planCode, from, to })),
      );
      return found.map((change, n) => {
        const afterBytes = totals[n]!;
        return { ...change, afterBytes, beforeBytes: afterBytes - sumOf(change.records) };
      });
    },
  };
}
