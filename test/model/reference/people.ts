import { iso, nameOf, type Row } from '../outcome.ts';
import { tell, toldAccounts } from './alerts.ts';
import { DAY_MS, HOUR_MS } from './calendar.ts';
import { openCycle } from './cycles.ts';
import type { Firing } from './fire.ts';
import { accountOf, leaderOf, type State, type Trigger } from './state.ts';

/** Firings of one batch that are repeated while their cycles are open. */
export interface Repeated {
  readonly trigger: Trigger;
  readonly firings: readonly Firing[];
  readonly since: number;
  sent: number;
}

/** Firings of a day of the trigger's first account. */
export interface Summed {
  readonly trigger: Trigger;
  readonly firings: readonly Firing[];
  readonly due: number;
}

const EVERY_MS = { Hourly: HOUR_MS, Daily: DAY_MS, Weekly: 7 * DAY_MS };

/** One mail to all recipients, and an SMS to each. */
function writeTo(
  state: State,
  { name, sends }: Trigger,
  firings: readonly Firing[],
  occasion: string | null,
): void {
  const subjects = [...new Set(firings.map(({ subject }) => subject))];
  const told: Row = { trigger: name, at: iso(state.now), occasion };
  const recipients = ['own', ...(sends.group ? ['group'] : [])];
  if (sends.mail) state.outcome.mail.push({ ...told, to: recipients, about: subjects });
  if (sends.sms) for (const to of recipients) state.outcome.sms.push({ ...told, to, about: subjects.length });
}

/** Called for the firings of one trigger in one batch, when they fire. */
export function announce(state: State, trigger: Trigger, firings: readonly Firing[]): void {
  const { daily, reminders } = trigger.sends;
  if (daily) {
    const due = openCycle(state, leaderOf(state, trigger.rule), 'Daily').closes;
    const same = state.summed.find((one) => one.trigger === trigger && one.due === due);
    const all = [...(same?.firings ?? []), ...firings];
    state.summed = [...state.summed.filter((one) => one !== same), { trigger, firings: all, due }];
    return;
  }
  for (const firing of firings) tell(state, firing, null);
  writeTo(state, trigger, firings, null);
  if (reminders === undefined) return;
  const first = state.now + EVERY_MS[reminders.every];
  const repeated = firings.filter(({ cycle }) => cycle.closes > first);
  if (repeated.length > 0)
    state.repeated = [...state.repeated, { trigger, firings: repeated, since: state.now, sent: 0 }];
}

const dueAt = ({ trigger, since, sent }: Repeated) =>
  since + (sent + 1) * EVERY_MS[trigger.sends.reminders!.every];

export const noticeTimes = ({ repeated, summed }: State): readonly number[] => [
  ...repeated.map(dueAt),
  ...summed.map(({ due }) => due),
];

/** A trigger that is switched off or deleted repeats nothing. */
export function stopRepeating(state: State, trigger: Trigger): void {
  state.repeated = state.repeated.filter((one) => one.trigger !== trigger);
}

/** Sends what has become due. */
export function sendNotices(state: State): void {
  for (const one of state.repeated.filter((each) => dueAt(each) <= state.now)) {
    const open = one.firings.filter(({ cycle }) => cycle.closes > state.now);
    one.sent++;
    if (open.length > 0) {
      for (const firing of open) tell(state, firing, `reminder ${one.sent}`);
      writeTo(state, one.trigger, open, `reminder ${one.sent}`);
    }
    const isOver = open.length === 0 || one.sent === one.trigger.sends.reminders!.count;
    if (isOver) state.repeated = state.repeated.filter((each) => each !== one);
  }
  const ended = state.summed.filter(({ due }) => due <= state.now);
  state.summed = state.summed.filter(({ due }) => due > state.now);
  for (const { trigger, firings } of ended) {
    const accounts = new Set(firings.flatMap((firing) => toldAccounts(state, firing)));
    for (const account of trigger.callback ? accounts : [])
      state.outcome.alerts.push({
        account: nameOf.account(account),
        heard: accountOf(state, account).listens.includes('AlertService') ? iso(state.now) : null,
        trigger: trigger.name,
        occasion: 'summary',
      });
    writeTo(state, trigger, firings, 'summary');
  }
}
