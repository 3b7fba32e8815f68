import { addDays, type Cycle, cycleOf, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { LevelKind } from '../../firings/index.ts';
import { daysIn, type Replay } from '../../usage/index.ts';
import type { CycleAccount } from '../closing/schedule.ts';
import type { TriggerLevels } from '../levels/level.ts';

export interface Period {
  readonly from: LocalDay;
  readonly to: LocalDay;
}

/** A level of a counter, as it is replayed. */
export interface ReplayedLevel {
  readonly counter: number;
  readonly beyondBytes: number;
  readonly levelKind: LevelKind;
  readonly level: number;
  readonly thresholdBytes: number;
  readonly scope: 'device' | 'account' | 'sum';
  /** Of a line: undefined. */
  readonly subject: string | undefined;
  readonly accountName: string;
  readonly cycle: Cycle;
}

export interface Counters extends Replay {
  readonly levels: readonly ReplayedLevel[];
}

/** All days of the cycles that the period touches. */
function daysOf(cycle: Cycle, { from, to }: Period, { timeZone, billCycleDay }: CycleAccount) {
  const { startOf } = daysIn(timeZone);
  const days: { day: LocalDay; opensAt: Date; closesAt: Date }[] = [];
  for (let day = cycleOf(cycle, from, billCycleDay).from; day <= to; ) {
    const span = cycleOf(cycle, day, billCycleDay);
    const [opensAt, closesAt] = [new Date(startOf(span.from)), new Date(startOf(span.to))];
    for (; day < span.to; day = addDays(day, 1)) days.push({ day, opensAt, closesAt });
  }
  return days;
}

/** What a trigger compares with arriving usage, as something that can be counted once more. `pools` by the place of their sum. */
export function countersOf(
  { counters, sums }: TriggerLevels,
  period: Period,
  accounts: ReadonlyMap<string, CycleAccount>,
  pools: ReadonlyMap<number, number>,
): Counters {
  const places = new Map<string, number>();
  const calendars = new Map<string, number>();
  const days: Replay['days'][number][] = [];
  const members: Replay['members'][number][] = [];
  const levels: ReplayedLevel[] = [];

  const calendarOf = (accountName: string, cycle: Cycle): number => {
    const account = accounts.get(accountName)!;
    const key = `${cycle} ${account.timeZone} ${account.billCycleDay}`;
    const known = calendars.get(key);
    if (known !== undefined) return known;
    const calendar = calendars.size;
    calendars.set(key, calendar);
    for (const day of daysOf(cycle, period, account)) days.push({ calendar, ...day });
    return calendar;
  };
  const place = (key: string): { counter: number; isNew: boolean } => {
    const known = places.get(key);
    if (known !== undefined) return { counter: known, isNew: false };
    places.set(key, places.size);
    return { counter: places.size - 1, isNew: true };
  };

  for (const { planCode, onPassing: _, ...level } of counters) {
    const { accountName, cycle } = level;
    const { counter, isNew } = place(`${accountName} ${planCode}`);
    if (isNew) members.push({ counter, accountName, planCode, calendar: calendarOf(accountName, cycle) });
    levels.push({ ...level, counter, subject: level.scope === 'account' ? accountName : undefined });
  }
  for (const [nth, { subject, cycle, cycleAccount, members: parts, levels: own }] of sums.entries()) {
    const { counter } = place(subject);
    const calendar = calendarOf(cycleAccount, cycle);
    members.push(...parts.map((part) => ({ counter, ...part, calendar })));
    const pool = pools.get(nth) ?? 0;
    for (const { levelKind, level, beyondBytes } of own) {
      const thresholdBytes = beyondBytes === undefined ? (pool * level) / 100 : level;
      if (beyondBytes === undefined && pool <= 0) continue;
      const beyond = beyondBytes ?? Math.ceil(thresholdBytes) - 1;
      const named = { scope: 'sum', subject, accountName: cycleAccount, cycle } as const;
      levels.push({ counter, beyondBytes: beyond, levelKind, level, thresholdBytes, ...named });
    }
  }
  const perLine = counters.some(({ scope }) => scope === 'device');
  return { members, perLine, days, levels, ...period };
}
