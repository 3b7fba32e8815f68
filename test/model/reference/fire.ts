import type { Rule } from '../case.ts';
import { iso, nameOf } from '../outcome.ts';
import type { Moved } from './alerts.ts';
import type { Cycle } from './cycles.ts';
import type { State, Trigger } from './state.ts';
import type { LevelKind } from './watches.ts';

export interface Firing {
  readonly trigger: Trigger;
  readonly subject: string;
  /** The line concerned, if there is one. */
  readonly line: number | undefined;
  /** The plan on which the record that reached the level was counted. */
  readonly plan: string | undefined;
  readonly account: number;
  readonly kind: LevelKind;
  readonly level: number;
  readonly threshold: number;
  readonly cycle: Cycle;
  readonly before: number;
  readonly after: number;
  readonly record: string | null;
  /** Usage was moved to the plan, and no new usage has arrived. */
  readonly cause: 'planChange' | null;
  readonly late: boolean;
  readonly version: number;
  readonly rule: Rule;
  /** What its actions move. */
  moved: readonly Moved[];
  readonly at: number;
  /** The outcome of its actions, as it becomes known. */
  readonly actions: object[];
}

type Fact = Omit<
  Firing,
  'account' | 'rule' | 'moved' | 'line' | 'plan' | 'version' | 'at' | 'actions' | 'cause'
> &
  Partial<Pick<Firing, 'cause'>>;

/** Fires once for each trigger, subject, level and cycle; for a line that has changed its account, once in each account. */
export function fire(state: State, fact: Fact, line?: number, plan?: string): Firing | undefined {
  const { trigger, subject, kind, level, cycle } = fact;
  const key = JSON.stringify([trigger.name, subject, kind, level]);
  const { account, opens, closes } = cycle;
  const before = state.fired.get(key) ?? [];
  if (before.some((one) => one.account === account && one.opens === opens && one.closes === closes))
    return undefined;
  state.fired.set(key, [...before, { account, opens, closes }]);
  const { cause = null } = fact;
  const firing: Firing = {
    ...fact,
    account,
    cause,
    line,
    plan,
    version: trigger.version,
    rule: trigger.rule,
    moved: [],
    at: state.now,
    actions: [],
  };
  state.outcome.firings.push({
    trigger: trigger.name,
    subject,
    account: nameOf.account(account),
    kind,
    level,
    threshold: fact.threshold,
    from: iso(cycle.opens),
    to: iso(cycle.closes),
    before: fact.before,
    after: fact.after,
    record: fact.record,
    cause,
    late: fact.late,
    version: trigger.version,
    at: iso(state.now),
    actions: firing.actions,
  });
  return firing;
}

/** The order of notifications and actions: oldest trigger first, lowest level first. */
export const inOrder = (firings: readonly Firing[]): readonly Firing[] =>
  firings.toSorted((a, b) => a.trigger.createdAt - b.trigger.createdAt || a.level - b.level);
