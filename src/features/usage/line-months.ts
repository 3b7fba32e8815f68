import { type LocalDay, monthOf } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { type CountedRecord, exactSumOf, isExact, planOf } from './ledger.ts';
import { listExactMonthsOfLines, listMonthsOfLines, type MonthOfLine } from './sql-cycle.ts';
import type { Evaluation, MonthDays, UsageCycle } from './usage-cycle.ts';

/** The counter of a line as the batch has left it: bytes of the evaluated days of the month. */
export type LineMonth = readonly [
  deviceId: string,
  planCode: string,
  month: LocalDay,
  dayBytes: readonly number[],
];

/** A line on a plan, with what the batch added to it and what its counters are now. */
export interface Line {
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

/** By plan and device, in maps of their own: a key made of both would be a new text for every record. */
export interface Lines {
  readonly all: readonly Line[];
  readonly byPlan: ReadonlyMap<string, ReadonlyMap<string, Line>>;
}

/** The lines of records of data, each with its own. */
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

/** What lines have used in calendar months, a list of bytes for each day of the month that has any, in the order of the months. */
export interface GrownMonths {
  readonly months: readonly MonthOfLine[];
  readonly bytesOn: ReadonlyMap<number, readonly (number | bigint)[]>;
}

/** Records of one line. */
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
 * A device that has changed its account may have records of both in a batch: what the batch wrote of it does not say whose it is,
 * and is looked up again.
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

/** A cycle that began in the month before, or has gone on in the one after, is in rows that the batch did not write. */
async function addOtherMonths(
  db: Db,
  ecpdId: string,
  lines: readonly Line[],
  { cycleAt, cycles, latestDay }: Evaluation,
): Promise<void> {
  const others: (MonthOfLine & { line: Line })[] = [];
  /** By account and day, of which a batch has few. */
  const needed = new Map<string, Map<LocalDay, readonly LocalDay[]>>();
  const monthsOn = (accountName: string, day: LocalDay): readonly LocalDay[] => {
    const byDay = needed.get(accountName) ?? new Map<LocalDay, readonly LocalDay[]>();
    if (byDay.size === 0) needed.set(accountName, byDay);
    const found = byDay.get(day);
    if (found !== undefined) return found;
    const months = cycles.flatMap((cycle) =>
      cycleAt(accountName, day, cycle).parts.map(({ month }) => month),
    );
    const made = [...new Set(months)].filter((month) => month <= latestDay);
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

/** Looks up again what came as doubles and is too large for them. */
async function addExactMonths(db: Db, ecpdId: string, lines: readonly Line[]): Promise<void> {
  const vast = lines.filter(
    ({ months }) => !isExact(months.reduce((sum, { dayBytes }) => dayBytes.reduce((a, b) => a + b, sum), 0)),
  );
  if (vast.length === 0) return;
  const vastMonths = vast.flatMap((line) => line.months.map(({ month }) => ({ ...line, line, month })));
  for (const { nth, dayBytes } of await listExactMonthsOfLines(db, ecpdId, vastMonths)) {
    const { line, month } = vastMonths[nth - 1]!;
    line.exactMonths = [...(line.exactMonths ?? []), { month, dayBytes }];
  }
}

/** Gives lines their counters in all months of the cycles that are evaluated. */
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
