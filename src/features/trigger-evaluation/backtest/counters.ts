import { addDays, type Cycle, type LocalDay } from '../../../kernel/bill-cycle.ts';
import { calendarOf } from '../../../kernel/calendar.ts';
import type { LevelKind } from '../../firings/index.ts';
import type { LedgerReplay, Replay } from '../../usage/index.ts';
import type { CycleAccount, TriggerLevels } from '../levels/level.ts';

export interface Period {
  readonly from: LocalDay;
  readonly to: LocalDay;
}

/** A level of a counter, for a replay. */
export interface ReplayedLevel {
  readonly counter: number;
  readonly levelKind: LevelKind;
  readonly level: number;
  readonly scope: 'device' | 'account' | 'sum';
  /** Undefined for the counter of a line. */
  readonly subject: string | undefined;
  readonly accountName: string;
  readonly cycle: Cycle;
}

/** The counters that arriving usage is compared with, for a replay. Percentages of pools are kept separately. */
export interface Counters {
  readonly fixed: LedgerReplay & {
    readonly levels: readonly (ReplayedLevel & {
      beyondBytes: number;
      thresholdBytes: number;
      onPassing: boolean;
    })[];
  };
  readonly pools: Replay & { readonly levels: readonly (ReplayedLevel & { percent: number })[] };
}

/** All days of the cycles that overlap the period. */
function daysOf(cycle: Cycle, { from, to }: Period, account: CycleAccount) {
  const { cycleAt, daysOf: daysIn, startOf } = calendarOf(account);
  const days: { day: LocalDay; opensAt: Date; closesAt: Date }[] = [];
  const endMs = startOf(addDays(to, 1));
  for (let atMs = startOf(from); atMs < endMs; ) {
    const span = cycleAt(cycle, atMs);
    atMs = span.toMs;
    const counted = daysIn(span);
    const [opensAt, closesAt] = [new Date(span.fromMs), new Date(span.toMs)];
    for (let { from: day } = counted; day < counted.to; day = addDays(day, 1))
      days.push({ day, opensAt, closesAt });
    for (const day of counted.pieces) days.push({ day, opensAt, closesAt });
  }
  return days.toSorted((a, b) => startOf(a.day) - startOf(b.day));
}

/** Accounts with the same cycles share one list of days. */
export function calendarsOf(period: Period, accounts: ReadonlyMap<string, CycleAccount>) {
  const calendars = new Map<string, number>();
  const days: Replay['days'][number][] = [];
  const calendarOf = (accountName: string, cycle: Cycle): number => {
    const account = accounts.get(accountName)!;
    const key = `${cycle} ${account.timeZone} ${account.billCycleDay} ${JSON.stringify(account.boundaries)}`;
    const known = calendars.get(key);
    if (known !== undefined) return known;
    const calendar = calendars.size;
    calendars.set(key, calendar);
    for (const day of daysOf(cycle, period, account)) days.push({ calendar, ...day });
    return calendar;
  };
  return { days, calendarOf };
}

/** The counters that a trigger compares with arriving usage. */
export function countersOf(
  { counters, sums }: TriggerLevels,
  period: Period,
  accounts: ReadonlyMap<string, CycleAccount>,
): Counters {
  const { days, calendarOf } = calendarsOf(period, accounts);
  const places = new Map<string, number>();
  const members: Replay['members'][number][] = [];
  const fixed: Counters['fixed']['levels'][number][] = [];
  const percents: Counters['pools']['levels'][number][] = [];

  for (const { planCode, ...level } of counters) {
    const { accountName, cycle } = level;
    const key = `${accountName} ${planCode}`;
    const counter = places.get(key) ?? places.size;
    if (!places.has(key)) {
      places.set(key, counter);
      members.push({ counter, accountName, planCode, calendar: calendarOf(accountName, cycle), isOwn: true });
    }
    fixed.push({ ...level, counter, subject: level.scope === 'account' ? accountName : undefined });
  }
  for (const [nth, { subject, cycle, cycleAccount, members: parts, levels }] of sums.entries()) {
    const counter = places.size + nth;
    const calendar = calendarOf(cycleAccount, cycle);
    members.push(
      ...parts.map((part) => ({ counter, ...part, calendar, isOwn: part.accountName === cycleAccount })),
    );
    const named = { counter, scope: 'sum', subject, accountName: cycleAccount, cycle } as const;
    for (const { levelKind, level, beyondBytes, onPassing } of levels)
      if (beyondBytes === undefined) percents.push({ ...named, levelKind, level, percent: level });
      else fixed.push({ ...named, levelKind, level, beyondBytes, thresholdBytes: level, onPassing });
  }
  const replay = { members, days, ...period };
  const perLine = counters.some(({ scope }) => scope === 'device');
  return { fixed: { ...replay, perLine, levels: fixed }, pools: { ...replay, levels: percents } };
}
