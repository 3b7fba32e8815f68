import type { Case, Step } from '../case.ts';
import { iso, nameOf, type Outcome } from '../outcome.ts';
import type { Begun } from './act.ts';
import { listOrder } from './alerts.ts';
import { decide, drop, expire, isActionEdited } from './approvals.ts';
import { askOfLine } from './ask.ts';
import { bill, listUsage } from './bills.ts';
import { closeCycles, closingTimes } from './close.ts';
import { changeSettings, follow, ledBy } from './cycles.ts';
import { dueTimes, followSuspension, resumesAt } from './lines.ts';
import { noticeTimes, sendNotices, stopRepeating } from './people.ts';
import { beginOf, leaderOf, present, type State, type Trigger } from './state.ts';
import { takeFeed } from './take-feed.ts';

/** Whether a counter adds up the usage of several accounts, so that the order of the accounts matters. */
function looksAcross({ group, accounts, triggers }: State): boolean {
  const isShared = group.accounts.length > 1;
  const listens = accounts.some((one) => one.listens.includes('SubscriptionNotificationService'));
  return (
    triggers.some(({ active, rule }) => {
      if (!active) return false;
      if (rule.kind === 'poolNotify' || rule.kind === 'poolMove') return isShared;
      return rule.kind === 'account' && rule.combined && rule.accounts.length > 1;
    }) ||
    (isShared && listens)
  );
}

/** Runs the work in sequence. Work in different accounts is concurrent, so which one moves usage first is undefined. */
function doAll(state: State, begun: readonly Begun[]): void {
  const accounts = new Set<number>();
  let isMoved = false;
  const queue = [...begun];
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const { movedUsage, next } = one.begin(state);
    accounts.add(one.account);
    isMoved ||= movedUsage;
    queue.push(...next);
  }
  if (isMoved && accounts.size > 1 && looksAcross(state)) state.undecidedAt ??= state.now;
}

/** Goes from due time to due time. */
function advance(state: State, to: number): void {
  for (;;) {
    const closing = closingTimes(state).filter((at) => at > state.now);
    const following = state.lines.flatMap(dueTimes);
    const next = Math.min(...closing, ...following, ...noticeTimes(state));
    if (next > to) break;
    state.now = next;
    // Whether a line that resumes when a cycle closes is evaluated as active.
    if (closing.includes(next) && state.lines.some((line) => resumesAt(line) === next))
      state.undecidedAt ??= next;
    sendNotices(state);
    for (const line of state.lines) followSuspension(state, line);
    if (closing.includes(next)) doAll(state, closeCycles(state));
  }
  state.now = to;
}

function rewrite(
  state: State,
  trigger: Trigger | undefined,
  change: Partial<Pick<Trigger, 'rule' | 'active'>>,
): void {
  if (trigger === undefined) return;
  const { rule, active } = trigger;
  if (JSON.stringify({ rule, active }) === JSON.stringify({ rule, active, ...change })) return;
  if (change.active === false || isActionEdited(rule, change.rule ?? rule)) drop(state, trigger);
  if (change.active === false) stopRepeating(state, trigger);
  Object.assign(trigger, change);
  trigger.version++;
}

/** `order` says which of several concurrent feeds was processed first. */
function take(state: State, step: Step, order: Order): void {
  const trigger = 'name' in step ? state.triggers.find(({ name }) => name === step.name) : undefined;
  if (step.do === 'feed') doAll(state, takeFeed(state, step.records));
  else if (step.do === 'feeds') {
    const feeds = order === 'as sent' ? step.feeds : step.feeds.toReversed();
    // Actions start after both are counted.
    doAll(
      state,
      feeds.flatMap((records) => takeFeed(state, records)),
    );
  } else if (step.do === 'create' && trigger === undefined) {
    const { name, rule, callback, sends = {} } = step;
    const leaders = ledBy(leaderOf(state, rule));
    state.triggers.push({
      name,
      rule,
      callback,
      sends,
      createdAt: state.now,
      active: true,
      version: 1,
      leaders,
    });
  } else if (step.do === 'edit') {
    rewrite(state, trigger, { rule: step.rule });
    if (trigger !== undefined) follow(state, trigger.leaders, leaderOf(state, step.rule));
  } else if (step.do === 'settings') changeSettings(state, step.account, step);
  else if (step.do === 'reorder') {
    state.group = { ...state.group, accounts: step.accounts };
    for (const { rule, leaders } of state.triggers) follow(state, leaders, leaderOf(state, rule));
  } else if (step.do === 'switch') rewrite(state, trigger, { active: step.active });
  else if (step.do === 'delete') {
    if (trigger !== undefined) {
      drop(state, trigger);
      stopRepeating(state, trigger);
    }
    state.triggers = state.triggers.filter((one) => one !== trigger);
  } else if (step.do === 'decide') doAll(state, decide(state, trigger, step.name, step.approves));
  else if (step.do === 'pause' || step.do === 'resume') state.paused = step.do === 'pause';
  else if ('line' in step) askOfLine(state, step);
}

type Order = 'as sent' | 'the other way';

export interface Foretold {
  readonly outcome: Outcome;
  readonly state: State;
}

/** The expected outcome after all steps. */
export function foretell(drawn: Case, order: Order = 'as sent'): Foretold {
  const state = beginOf(drawn);
  for (const step of drawn.steps) {
    advance(state, step.at);
    expire(state);
    take(state, step, order);
  }
  for (const line of state.lines) {
    if (line.state === 'gone') continue;
    const { plan, since } = present(line);
    state.outcome.lines.push({
      line: nameOf.line(line.n),
      account: nameOf.account(line.account),
      state: line.state,
      plan,
      since: iso(since),
    });
  }
  state.outcome.order.push(...listOrder(state));
  listUsage(state);
  bill(state);
  return { outcome: state.outcome, state };
}

/** The time from which the outcome is not determined. */
export const undecidedAt = (drawn: Case): number | undefined =>
  foretellAll(drawn)
    .map(({ state }) => state.undecidedAt)
    .find((at) => at !== undefined);

/** Concurrent feeds may have been processed in either order. */
export const foretellAll = (drawn: Case): readonly Foretold[] =>
  drawn.steps.some((step) => step.do === 'feeds')
    ? [foretell(drawn), foretell(drawn, 'the other way')]
    : [foretell(drawn)];
