import type { Suspension } from '../case.ts';
import { iso, nameOf, type Undone } from '../outcome.ts';
import { DAY_MS, dayAt, slashDate, startOf } from './calendar.ts';
import { openCycle } from './cycles.ts';
import { accountOf, type LineState, present, type State } from './state.ts';

const ANNOUNCED_BEFORE_MS = 7 * DAY_MS;

/** Every result of a request has the line and the time. It goes to the account that made the request, mostly the line's. */
function tellCarrier(state: State, line: LineState, what: object, account = line.account): void {
  state.outcome.carrier.push({
    account: nameOf.account(account),
    line: nameOf.line(line.n),
    at: iso(state.now),
    ...what,
  });
}

export function tellFailure(
  state: State,
  line: LineState,
  reason: string,
  account = line.account,
): Undone | undefined {
  tellCarrier(state, line, { what: 'failed', reason }, account);
  return reason === 'no days left' || reason === 'four changes' ? reason : undefined;
}

function announce(state: State, line: LineState): void {
  const last = line.suspensions.at(-1)!;
  last.announced = true;
  const resumes = slashDate(accountOf(state, line.account).timeZone, last.resumesAt);
  tellCarrier(state, line, { what: 'announced', resumes });
}

/** The same day, a year earlier. */
function twelveMonthsBefore(ms: number): number {
  const date = new Date(ms);
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return date.getTime();
}

/**
 * Suspensions count in all accounts together: 90 days in a row, where a gap of less than a day does not end the row;
 * 180 days in twelve months, where each begun day counts.
 */
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

/** Suspends an active line. Undefined means for the longest allowed time. */
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

/** Automatically or on request. */
export function restore(state: State, line: LineState): void {
  line.state = 'active';
  line.suspensions.at(-1)!.until = state.now;
  tellCarrier(state, line, { what: 'restored' });
}

/** From now on or from an earlier time. At most four in a local calendar month of the account, wherever the line was. */
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

/** When something of the line becomes due without a request. */
export function dueTimes(line: LineState): readonly number[] {
  const last = lasting(line);
  if (last === undefined) return [];
  return last.announced ? [last.resumesAt] : [last.resumesAt - ANNOUNCED_BEFORE_MS, last.resumesAt];
}
export const resumesAt = (line: LineState): number | undefined => lasting(line)?.resumesAt;

/** Applies what has become due. */
export function followSuspension(state: State, line: LineState): void {
  const last = lasting(line);
  if (last === undefined) return;
  if (last.resumesAt <= state.now) restore(state, line);
  else if (!last.announced && last.resumesAt - ANNOUNCED_BEFORE_MS <= state.now) announce(state, line);
}

/** This also ends a suspension, without a notification. */
function takeOff(state: State, line: LineState, to: 'deactive' | 'gone'): void {
  const last = lasting(line);
  if (last !== undefined) last.until = state.now;
  line.state = to;
}

export function deactivate(state: State, line: LineState): void {
  takeOff(state, line, 'deactive');
  tellCarrier(state, line, { what: 'deactivated' });
}

/** Removes the line. Its owner is notified if the owner requested it. */
export function remove(state: State, line: LineState, by: 'owner' | 'operator'): void {
  takeOff(state, line, 'gone');
  line.goneAt = state.now;
  if (by === 'owner') tellCarrier(state, line, { what: 'deactivated' });
}

/** State, plan and current suspension move with the line; the start of its time on the plan does not. */
export function moveTo(state: State, line: LineState, account: number): void {
  if (line.account === account) return;
  line.account = account;
  line.stays.push({ account, since: state.now });
  line.plans.push({ plan: present(line).plan, since: state.now, changedAt: undefined });
}

/** A deactive line moves if it is activated in another account. It starts on this plan, whatever its previous one. */
export function activate(state: State, line: LineState, account: number, plan: string): void {
  moveTo(state, line, account);
  line.state = 'active';
  line.plans.push({ plan, since: state.now, changedAt: undefined });
  tellCarrier(state, line, { what: 'activated', plan });
}
