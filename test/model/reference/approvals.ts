import type { Rule } from '../case.ts';
import { iso } from '../outcome.ts';
import type { Begun } from './act.ts';
import { DAY_MS } from './calendar.ts';
import { type Act, type Chain, note } from './carry-out.ts';
import type { Firing } from './fire.ts';
import { tellFailure } from './lines.ts';
import type { State, Trigger } from './state.ts';

/** The actions of a firing that affect more lines than they may without approval. */
export interface Waiting {
  readonly firing: Firing;
  readonly acts: readonly Act[];
  readonly chain: Chain | undefined;
  readonly begin: () => readonly Begun[];
  state: 'waiting' | 'dropped' | 'expired' | 'decided';
}

/** Firings are named by what they fired for, in the order of time. */
const nameOfFiring = ({ at, subject, kind, level, cycle }: Firing) =>
  [iso(at), subject, kind, level, iso(cycle.opens)].join(' ');

/** Nobody has approved them within the cycle. */
export function expire(state: State): void {
  for (const one of state.waiting.filter(({ state: held }) => held === 'waiting')) {
    const { cycle, at } = one.firing;
    // A firing at the end of a cycle can be approved in the next one, whose length depends on the account.
    if (at >= cycle.closes) {
      if (state.now >= cycle.closes + 27 * DAY_MS) state.undecidedAt ??= state.now;
      continue;
    }
    if (state.now >= cycle.closes) one.state = 'expired';
  }
}

/** What a rule does. To suspend in all accounts stays the same if the accounts of the rule change. */
function actionOf(rule: Rule): unknown {
  if (!('accounts' in rule)) return { ...rule, kind: undefined };
  const action = 'action' in rule ? rule.action : rule.suspend;
  if (action === undefined || !('from' in action)) return action;
  return { ...action, from: action.from.length === rule.accounts.length ? 'all' : action.from };
}

export const isActionEdited = (before: Rule, after: Rule): boolean =>
  JSON.stringify(actionOf(before)) !== JSON.stringify(actionOf(after));

/** What has not begun when a trigger is switched off, deleted or edited in its action does not begin any more. */
export function drop(state: State, trigger: Trigger): void {
  for (const one of state.waiting) {
    if (one.firing.trigger !== trigger) continue;
    if (one.state === 'expired') state.undecidedAt ??= state.now;
    if (one.state !== 'waiting') continue;
    one.state = 'dropped';
    for (const act of one.acts) {
      note(act, { state: 'dropped', reason: 'dropped' }, act.lines.length);
      for (const line of act.lines) {
        // Who is told of a line that has left is not determined.
        if (line.account !== act.account || line.state === 'gone') state.undecidedAt ??= state.now;
        tellFailure(state, line, 'dropped', act.account);
      }
    }
  }
}

/** Decides the earliest firing that waits, or whose actions were dropped. */
export function decide(state: State, trigger: Trigger | undefined, name: string, approves: boolean) {
  const [first] = state.waiting
    .filter(({ firing, state: held }) => firing.trigger.name === name && held !== 'decided')
    .toSorted((a, b) => (nameOfFiring(a.firing) < nameOfFiring(b.firing) ? -1 : 1));
  if (first === undefined) return [];
  // An hourly job ends what has expired: whether that can be rejected until then is not determined.
  if (first.state === 'expired' && !approves) state.undecidedAt ??= state.now;
  const isOpen = first.state === 'waiting' && trigger !== undefined;
  const isTaken = isOpen && !(approves && state.paused);
  state.outcome.decisions.push({ at: iso(state.now), firing: nameOfFiring(first.firing), isTaken });
  if (!isTaken) return [];
  first.state = 'decided';
  if (approves) return first.begin();
  for (const act of first.acts) note(act, { state: 'skipped', reason: 'rejected' }, act.lines.length);
  return [];
}
