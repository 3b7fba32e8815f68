import { addDays, type Cycle, type LocalDay, monthOf } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { grownBy, isExact } from './grown-bytes.ts';
import type { CountedRecord, LedgerAccount } from './ledger.ts';
import { listExactMonthsOfLines, listMonthsOfLines, type MonthOfLine, sumAccountDays } from './sql-cycle.ts';
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
  readonly records: readonly CountedRecord[];
}

/** By how much a counter grew at once. */
export interface Step {
  /** Null: by a change of plan. */
  readonly id: string | null;
  readonly bytes: number;
}

/** Says of which growth a change is made. */
export type WantedGrowth = (beforeBytes: number, afterBytes: number) => boolean;
/** Says for which counters changes are asked, and which; undefined for none. Asked once for an account, plan and cycle. */
export type Wanted = (accountName: string, planCode: string, cycle: Cycle) => WantedGrowth | undefined;

/** What a batch added to a profile, and what its counters stand at with it, until the transaction has ended. */
export interface CountedUsage {
  /** The new records of data, in the order of the feed. */
  readonly records: readonly CountedRecord[];
  /** What a change of plan has taken from other plans for them, as less than nothing. */
  readonly taken: readonly CountedRecord[];
  /** Set where usage was moved and none has come. */
  readonly cause: 'planChange' | undefined;
  /** In which steps a counter grew by some of the records and of what was taken, in their order. */
  readonly stepsOf: (some: readonly CountedRecord[]) => readonly Step[];
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
  /** The same device on the same plan, in other accounts. */
  elsewhere?: Line[];
  readonly accountName: string;
  readonly deviceId: string;
  readonly planCode: string;
  readonly records: CountedRecord[];
  /** Few: a list of one costs less than a map, and there is one for every line of a batch. */
  readonly months: CountedMonth[];
  /** Whole months, where doubles cannot hold what the days add up to. */
  exactMonths?: { readonly month: LocalDay; readonly dayBytes: readonly bigint[] }[];
}

/** Bytes of the days of a month from the one that is named `first` on. */
interface CountedMonth {
  readonly month: LocalDay;
  readonly first: number;
  readonly dayBytes: readonly number[];
}

export const planOf = ({ planCode }: CountedRecord): string => planCode ?? '';

/**
 * By plan and device, in maps of their own: a key made of both would be a new text for every record. A device that has changed its
 * account may have records of both in a batch: what the batch wrote of it does not say whose it is, and is read again.
 */
function linesOf(
  records: readonly CountedRecord[],
  watched: readonly WatchedDays[],
  counted: readonly LineMonth[],
): Line[] {
  const byPlan = new Map<string, Map<string, Line>>();
  const lines: Line[] = [];
  for (const record of records) {
    const { accountName, deviceId } = record;
    const planCode = planOf(record);
    const byDevice = byPlan.get(planCode) ?? new Map<string, Line>();
    if (byDevice.size === 0) byPlan.set(planCode, byDevice);
    const first = byDevice.get(deviceId);
    const known =
      first === undefined || first.accountName === accountName
        ? first
        : first.elsewhere?.find((line) => line.accountName === accountName);
    if (known !== undefined) {
      known.records.push(record);
      continue;
    }
    const line: Line = { accountName, deviceId, planCode, records: [record], months: [] };
    if (first === undefined) byDevice.set(deviceId, line);
    else first.elsewhere = [...(first.elsewhere ?? []), line];
    lines.push(line);
  }
  const firstDays = new Map(watched.map(({ month, first }) => [month, first]));
  for (const [deviceId, planCode, month, dayBytes] of counted) {
    const line = byPlan.get(planCode)?.get(deviceId);
    if (line !== undefined && line.elsewhere === undefined)
      line.months.push({ month, first: firstDays.get(month) ?? 1, dayBytes });
  }
  return lines;
}

const monthIn = ({ months }: Line, asked: LocalDay) => months.find(({ month }) => month === asked);

function bytesIn(line: Line, { parts }: UsageCycle): number | bigint {
  if (line.exactMonths !== undefined)
    return parts.reduce((sum, { month, first, last }) => {
      const known = line.exactMonths!.find((one) => one.month === month);
      return (known?.dayBytes.slice(first - 1, last) ?? []).reduce((all, bytes) => all + bytes, sum);
    }, 0n);
  let sum = 0;
  for (const { month, first, last } of parts) {
    const known = monthIn(line, month);
    if (known === undefined) continue;
    for (let day = first; day <= last; day++) sum += known.dayBytes[day - known.first] ?? 0;
  }
  return sum;
}

/** Reads again what came as doubles and is too large for them. */
async function makeExact(db: Db, ecpdId: string, lines: readonly Line[]): Promise<void> {
  const vast = lines.filter(
    ({ months }) => !isExact(months.reduce((sum, { dayBytes }) => dayBytes.reduce((a, b) => a + b, sum), 0)),
  );
  if (vast.length === 0) return;
  const asked = vast.flatMap((line) => line.months.map(({ month }) => ({ ...line, line, month })));
  for (const { nth, dayBytes } of await listExactMonthsOfLines(db, ecpdId, asked)) {
    const { line, month } = asked[nth - 1]!;
    line.exactMonths = [...(line.exactMonths ?? []), { month, dayBytes }];
  }
}

/** Asked for each line of a batch, and the same for all of an account and plan. */
function rememberWanted(wanted: Wanted): Wanted {
  const known = new Map<string, Map<string, Map<Cycle, ReturnType<Wanted>>>>();
  return (accountName, planCode, cycle) => {
    const byPlan = known.get(accountName) ?? new Map<string, Map<Cycle, ReturnType<Wanted>>>();
    const byCycle = byPlan.get(planCode) ?? new Map<Cycle, ReturnType<Wanted>>();
    if (!byCycle.has(cycle))
      known.set(accountName, byPlan.set(planCode, byCycle.set(cycle, wanted(accountName, planCode, cycle))));
    return byCycle.get(cycle);
  };
}

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
  records: readonly CountedRecord[],
  accounts: ReadonlyMap<string, LedgerAccount>,
  cycles: readonly Cycle[],
  nowMs: number,
): Watch {
  const cycleAt = cycleFinder(accounts, nowMs);
  // Zones are up to a day apart.
  const latestDay = addDays(new Date(nowMs).toISOString().slice(0, 10), 1);
  const latest = { month: monthOf(latestDay), day: Number(latestDay.slice(8)) };
  const days = new Map<LocalDay, WatchedDays>();
  const add = ({ month, first, last }: WatchedDays) => {
    const known = days.get(month) ?? { first, last: first };
    const end = month === latest.month ? Math.min(last, latest.day) : last;
    days.set(month, { month, first: Math.min(first, known.first), last: Math.max(end, known.last) });
  };
  const seen = new Map<string, Set<LocalDay>>();
  for (const { accountName, day } of records) {
    const ofAccount = seen.get(accountName) ?? new Set<LocalDay>();
    if (ofAccount.has(day)) continue;
    seen.set(accountName, ofAccount.add(day));
    for (const cycle of cycles) for (const part of cycleAt(accountName, day, cycle).parts) add(part);
  }
  return { cycleAt, cycles, days: [...days.values()], latestDay };
}

export interface Counted {
  readonly ecpdId: string;
  readonly records: readonly CountedRecord[];
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
    const missing: LocalDay[] = [];
    for (const { day } of line.records)
      for (const cycle of cycles)
        for (const { month } of cycleAt(accountName, day, cycle).parts)
          if (month <= latestDay && monthIn(line, month) === undefined && !missing.includes(month))
            missing.push(month);
    for (const month of missing) otherMonths.push({ line, accountName, deviceId, planCode, month });
  }
  if (otherMonths.length > 0)
    for (const { nth, dayBytes } of await listMonthsOfLines(db, ecpdId, otherMonths)) {
      const { line, month } = otherMonths[nth - 1]!;
      line.months.push({ month, first: 1, dayBytes });
    }

  await makeExact(db, ecpdId, lines);

  /** By its first day, which is a text that exists already. Almost always there is one: records come soon after each other. */
  const byCycle = (some: readonly CountedRecord[], accountName: string, cycle: Cycle) => {
    const firstDayOf = ({ day }: CountedRecord) => cycleAt(accountName, day, cycle).from;
    const first = firstDayOf(some[0]!);
    const groups = some.every((record) => firstDayOf(record) === first)
      ? [some]
      : [...Map.groupBy(some, firstDayOf).values()];
    return groups.map((group) => [cycleAt(accountName, group[0]!.day, cycle), group] as const);
  };

  return {
    records,
    taken: [],
    cause: undefined,
    stepsOf: (some) => some,
    accountNames: [...new Set(records.map(({ accountName }) => accountName))],
    cycleAt,
    changesOfLines(wanted) {
      const growthOf = rememberWanted(wanted);
      const changes: CounterChange[] = [];
      for (const line of lines) {
        const { accountName, deviceId, planCode } = line;
        for (const cycle of cycles) {
          const isWanted = growthOf(accountName, planCode, cycle);
          if (isWanted === undefined) continue;
          for (const [span, records] of byCycle(line.records, accountName, cycle)) {
            const { beforeBytes, afterBytes } = grownBy(bytesIn(line, span), records);
            if (isWanted(beforeBytes, afterBytes))
              changes.push({ accountName, deviceId, planCode, span, beforeBytes, afterBytes, records });
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
        return cycles.flatMap((cycle) => {
          const isWanted = wanted(accountName, planCode, cycle);
          if (isWanted === undefined) return [];
          return byCycle(some, accountName, cycle).map(([span, records]) => {
            return { isWanted, change: { accountName, deviceId: undefined, planCode, span, records } };
          });
        });
      });
      if (found.length === 0) return [];
      const totals = await sumAccountDays(
        db,
        ecpdId,
        found.map(({ change: { accountName, planCode, span } }) => {
          return { accountName, planCode, from: span.from, to: span.to };
        }),
      );
      return found.flatMap(({ isWanted, change }, n) => {
        const { beforeBytes, afterBytes } = grownBy(totals[n]!, change.records);
        return isWanted(beforeBytes, afterBytes) ? [{ ...change, afterBytes, beforeBytes }] : [];
      });
    },
  };
}
