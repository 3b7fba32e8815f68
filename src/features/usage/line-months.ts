import { type LocalDay, monthOf } from '../../kernel/bill-cycle.ts';
import { FIRST_PIECE } from '../../kernel/calendar.ts';
import type { Db } from '../../platform/db/db.ts';
import { type CountedRecord, exactSumOf, isExact, planOf } from './ledger.ts';
import { listExactMonthsOfLines, listMonthsOfLines, type MonthOfLine } from './sql-cycle.ts';
import type { Evaluation, MonthDays, UsageCycle } from './usage-cycle.ts';

/** The counter of a line after the batch: bytes of the month's evaluated days. */
export type LineMonth = readonly [
  deviceId: string,
  planCode: string,
  month: LocalDay,
  dayBytes: readonly number[],
];

/** A line on a plan, with the records that the batch added and the resulting counters. */
export interface Line {
  /** The same device on the same plan, in other accounts. */
  elsewhere?: Line[];
  readonly accountName: string;
  readonly deviceId: string;
  readonly planCode: string;
  readonly records: CountedRecord[];
  /** A list of one costs less than a map, and every line of a batch has one. */
  readonly months: CountedMonth[];
  /** Whole months, for lines whose total a double cannot hold. */
  exactMonths?: { readonly month: LocalDay; readonly dayBytes: readonly bigint[] }[];
}

/** Bytes of the days of a month, beginning with day number `first`. */
interface CountedMonth {
  readonly month: LocalDay;
  readonly first: number;
  readonly dayBytes: readonly number[];
}

/** By plan and device, in nested maps: a combined key would create a new string for every record. */
export interface Lines {
  readonly all: readonly Line[];
  readonly byPlan: ReadonlyMap<string, ReadonlyMap<string, Line>>;
}

/** Groups data records by line. */
export function linesOf(records: readonly CountedRecord[]): Lines {
  const byPlan = new Map<string, Map<string, Line>>();
  const all: Line[] = [];
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
    all.push(line);
  }
  return { all, byPlan };
}

/** What lines used in calendar months. `bytesOn` has a list for each day of the month with usage, in the order of `months`. */
export interface GrownMonths {
  readonly months: readonly MonthOfLine[];
  readonly bytesOn: ReadonlyMap<number, readonly (number | bigint)[]>;
}

/** For records of one line. */
const sumOn = (records: readonly CountedRecord[], wanted: LocalDay) =>
  exactSumOf(records.filter(({ day }) => day === wanted));

export function grownMonths({ all }: Lines): GrownMonths {
  const months: MonthOfLine[] = [];
  const bytesOn = new Map<number, (number | bigint)[]>();
  for (const { accountName, deviceId, planCode, records } of all) {
    const firstOfLine = months.length;
    let lastDay: LocalDay | undefined;
    for (const { day } of records) {
      if (day === lastDay) continue;
      lastDay = day;
      const month = monthOf(day);
      let place = firstOfLine;
      while (place < months.length && months[place]!.month !== month) place++;
      if (place === months.length) months.push({ accountName, deviceId, planCode, month });
      const dayOfMonth = Number(day.slice(8));
      const column = bytesOn.get(dayOfMonth) ?? [];
      if (column.length === 0) bytesOn.set(dayOfMonth, column);
      while (column.length < place) column.push(0);
      column[place] = sumOn(records, day);
    }
  }
  for (const column of bytesOn.values()) while (column.length < months.length) column.push(0);
  return { months, bytesOn };
}

/**
 * A device that changed its account may have records of both accounts in a batch. The counters that the batch returns
 * do not name the account, so such lines are queried separately.
 */
function addCounted({ byPlan }: Lines, days: readonly MonthDays[], counted: readonly LineMonth[]): void {
  const firstDays = new Map(days.map(({ month, first }) => [month, first]));
  for (const [deviceId, planCode, month, dayBytes] of counted) {
    const line = byPlan.get(planCode)?.get(deviceId);
    if (line !== undefined && line.elsewhere === undefined)
      line.months.push({ month, first: firstDays.get(month) ?? 1, dayBytes });
  }
}

const monthIn = ({ months }: Line, wanted: LocalDay) => months.find(({ month }) => month === wanted);

/** Adds the months that the batch did not write: a cycle may begin in the previous month or end in the next one. */
async function addOtherMonths(
  db: Db,
  ecpdId: string,
  lines: readonly Line[],
  { cycleAt, cycles, latestDay }: Evaluation,
): Promise<void> {
  const others: (MonthOfLine & { line: Line })[] = [];
  /** By account and day; a batch has few of them. */
  const needed = new Map<string, Map<LocalDay, readonly LocalDay[]>>();
  const monthsOn = (accountName: string, day: LocalDay): readonly LocalDay[] => {
    const byDay = needed.get(accountName) ?? new Map<LocalDay, readonly LocalDay[]>();
    if (byDay.size === 0) needed.set(accountName, byDay);
    const found = byDay.get(day);
    if (found !== undefined) return found;
    const months = cycles.flatMap((cycle) =>
      cycleAt(accountName, day, cycle).parts.map(({ month }) => month),
    );
    const made = [...new Set(months)].filter((month) => month <= latestDay || month >= FIRST_PIECE);
    byDay.set(day, made);
    return made;
  };
  for (const line of lines) {
    const { accountName, deviceId, planCode } = line;
    const missing: LocalDay[] = [];
    for (const { day } of line.records)
      for (const month of monthsOn(accountName, day))
        if (monthIn(line, month) === undefined && !missing.includes(month)) missing.push(month);
    for (const month of missing) others.push({ line, accountName, deviceId, planCode, month });
  }
  if (others.length === 0) return;
  for (const { nth, dayBytes } of await listMonthsOfLines(db, ecpdId, others)) {
    const { line, month } = others[nth - 1]!;
    line.months.push({ month, first: 1, dayBytes });
  }
}

/** Queries totals again that are too large for doubles. */
async function addExactMonths(db: Db, ecpdId: string, lines: readonly Line[]): Promise<void> {
  const large = lines.filter(
    ({ months }) => !isExact(months.reduce((sum, { dayBytes }) => dayBytes.reduce((a, b) => a + b, sum), 0)),
  );
  if (large.length === 0) return;
  const largeMonths = large.flatMap((line) => line.months.map(({ month }) => ({ ...line, line, month })));
  for (const { nth, dayBytes } of await listExactMonthsOfLines(db, ecpdId, largeMonths)) {
    const { line, month } = largeMonths[nth - 1]!;
    line.exactMonths = [...(line.exactMonths ?? []), { month, dayBytes }];
  }
}

/** Adds to each line its counters in all months of the evaluated cycles. */
export async function addMonths(
  db: Db,
  ecpdId: string,
  { lines, counted }: { readonly lines: Lines; readonly counted: readonly LineMonth[] },
  evaluation: Evaluation,
): Promise<void> {
  addCounted(lines, evaluation.days, counted);
  await addOtherMonths(db, ecpdId, lines.all, evaluation);
  await addExactMonths(db, ecpdId, lines.all);
}

/** What a line used in a cycle. */
export function bytesIn(line: Line, { parts }: UsageCycle): number | bigint {
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
