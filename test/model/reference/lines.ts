import type { Suspension } from '../case.ts';
import { iso, nameOf, type Undone } from '../outcome.ts';
import { DAY_MS, dayAt, slashDate, startOf } from './calendar.ts';
import { accountOf, type LineState, openCycle, present, type State } from './state.ts';

const ANNOUNCED_BEFORE_MS = 7 * DAY_MS;

/** Every result of a request has the line and the time. */
function tellCarrier(state: State, line: LineState, what: object): void {
  state.outcome.carrier.push({ line: nameOf.line(line.n), at: iso(state.now), ...what });
}

export function tellFailure(state: State, line: LineState, reason: string): Undone | undefined {
  tellCarrier(state, line, { what: 'failed', reason });
  return reason === 'no days left' || reason === 'four changes' ? reason : undefined;
}

function announce(state: State, line: LineState): void {
  const last = line.suspensions.at(-1)!;
  last.announced = true;
  const resumes = slashDate(accountOf(state, line.account).timeZone, last.resumesAt);
  tellCarrier(state, line, { what: 'announced', resumes });
}

/** The same day, a year before. */
function twelveMonthsBefore(ms: number): number {
  const date = new Date(ms);
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return date.getTime();
}

/** 90 days in a row, where less than a day between two makes them one row; 180 in twelve months, of which begun days count. */
function daysOf({ suspensions }: LineState, now: number) {
  let inARow = 0;
  let next = now;
  for (const { from, until } of suspensions.toReversed()) {
    if (next - until! >= DAY_MS) break;
    inARow += until! - from;
    next = from;
  }
  const yearAgo = twelveMonthsBefore(now);
  const inYear = suspensions.reduce(
    (sum, { from, until }) => sum + Math.max(0, until! - Math.max(yearAgo, from)),
    0,
  );
  const used = Math.ceil(inYear / DAY_MS);
  const allowed = Math.max(0, 180 - used);
  const left = Math.max(0, Math.min(Math.floor((90 * DAY_MS - inARow) / DAY_MS), allowed));
  return { used, allowed, left };
}

/** Of an active line. Undefined for as long as it may be. */
export function suspend(
  state: State,
  line: LineState,
  duration: Suspension['duration'] | undefined,
): Undone | undefined {
  const { used, allowed, left } = daysOf(line, state.now);
  if (left === 0) return tellFailure(state, line, 'no days left');
  const latest = state.now + left * DAY_MS;
  const asked =
    duration === undefined
      ? latest
      : duration === 'NextBillCycle'
        ? openCycle(state, line.account, 'Monthly').closes
        : state.now + Number(duration) * DAY_MS;
  const resumesAt = Math.min(latest, asked);
  line.state = 'suspend';
  line.suspensions.push({ from: state.now, resumesAt, announced: false, until: undefined });
  if (resumesAt - ANNOUNCED_BEFORE_MS <= state.now) announce(state, line);
  const resumes = slashDate(accountOf(state, line.account).timeZone, resumesAt);
  tellCarrier(state, line, { what: 'suspended', resumes, used, allowed });
  return undefined;
}

/** By itself, or because somebody asked for it. */
export function restore(state: State, line: LineState): void {
  line.state = 'active';
  line.suspensions.at(-1)!.until = state.now;
  tellCarrier(state, line, { what: 'restored' });
}

/** Of an active line, from now on or from an earlier time. At most four in a calendar month where the account is. */
export function changePlan(
  state: State,
  line: LineState,
  plan: string,
  since = state.now,
): Undone | 'changed' | undefined {
  const effective = (from: number) =>
    tellCarrier(state, line, { what: 'plan changed', effective: iso(from) });
  if (present(line).plan === plan) {
    effective(present(line).since);
    return undefined;
  }
  const { timeZone } = accountOf(state, line.account);
  const month = startOf(timeZone, `${dayAt(timeZone, state.now).slice(0, 7)}-01`);
  if (line.plans.filter(({ changedAt }) => changedAt !== undefined && changedAt >= month).length >= 4)
    return tellFailure(state, line, 'four changes');
  line.plans.push({ plan, since, changedAt: state.now });
  effective(since);
  return 'changed';
}

const lasting = (line: LineState) => line.suspensions.find(({ until }) => until === undefined);

/** When something of the line falls due by itself. */
export function dueTimes(line: LineState): readonly number[] {
  const last = lasting(line);
  if (last === undefined) return [];
  return last.announced ? [last.resumesAt] : [last.resumesAt - ANNOUNCED_BEFORE_MS, last.resumesAt];
}
export const resumesAt = (line: LineState): number | undefined => lasting(line)?.resumesAt;

/** What has fallen due. */
export function followSuspension(state: State, line: LineState): void {
  const last = lasting(line);
  if (last === undefined) return;
  if (last.resumesAt <= state.now) restore(state, line);
  else if (!last.announced && last.resumesAt - ANNOUNCED_BEFORE_MS <= state.now) announce(state, line);
}
