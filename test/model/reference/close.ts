import { bytesOf } from '../case.ts';
import { nameOf } from '../outcome.ts';
import { type Begun, follow } from './act.ts';
import type { CycleKind } from './calendar.ts';
import { type Cycle, type Cycles, cycleAt, cyclesLedBy, cyclesOf } from './cycles.ts';
import { type Firing, fire } from './fire.ts';
import { isActiveOn, plansOf, poolOf, present, type State, sumOf, type Trigger } from './state.ts';
import { percentLevel, poolPercents } from './watches.ts';

/** The cycles that a trigger evaluates when they close. */
function closingsOf({ rule, leaders }: Trigger, state: State): readonly Cycles[] {
  const each = (accounts: readonly number[], kind: CycleKind) =>
    accounts.map((account) => cyclesOf(state, account, kind));
  switch (rule.kind) {
    case 'line':
      return rule.cmp === 'lt' ? each(rule.accounts, rule.cycle) : [];
    case 'account':
      if (rule.cmp !== 'lt') return [];
      return rule.combined ? [cyclesLedBy(state, leaders, rule.cycle)] : each(rule.accounts, rule.cycle);
    case 'allowance':
    case 'aging':
      return each(rule.accounts, 'Monthly');
    case 'poolNotify':
    case 'poolMove':
      return [cyclesLedBy(state, leaders, 'Monthly')];
    default:
      return [];
  }
}

interface Closed {
  readonly state: State;
  readonly trigger: Trigger;
  readonly cycle: Cycle;
}

const atClosing = ({ trigger, cycle }: Closed, counted: number) =>
  ({ trigger, cycle, before: counted, after: counted, record: null, late: false }) as const;

/** Lines below their threshold: only those that are active on the plan now and joined it before the cycle ended. */
function closeLines(closed: Closed, below: number): (Firing | undefined)[] {
  const { state, trigger, cycle } = closed;
  const { account } = cycle;
  return state.lines
    .filter((line) => line.account === account && isActiveOn(line, plansOf(trigger.rule)))
    .filter((line) => present(line).since < cycle.closes)
    .map((line) => {
      const { plan } = present(line);
      const used = sumOf(
        state,
        cycle,
        (entry) => entry.line === line.n && entry.account === account && entry.plan === plan,
      );
      if (used >= below) return undefined;
      const level = { kind: 'bytes', level: below, threshold: below } as const;
      return fire(state, { ...atClosing(closed, used), ...level, subject: nameOf.line(line.n) }, line.n);
    });
}

/** Lines with this many whole bill cycles on the plan, once for each stay; suspended lines too. */
function closeAges(closed: Closed, cycles: number): (Firing | undefined)[] {
  const { state, trigger, cycle } = closed;
  const { account } = cycle;
  return state.lines
    .filter(({ state: held }) => held === 'active' || held === 'suspend')
    .filter((line) => line.account === account && plansOf(trigger.rule).includes(present(line).plan))
    .map((line) => {
      const { since } = present(line);
      let age = 0;
      for (let one = cycle; one.opens >= since; age++)
        one = cycleAt(state, account, 'Monthly', one.opens - 1);
      const stay = `${trigger.name} ${cycles} ${line.n} ${since}`;
      if (age < cycles || state.aged.has(stay)) return undefined;
      state.aged.add(stay);
      const level = { kind: 'billCycles', level: cycles, threshold: cycles } as const;
      const fact = { ...atClosing(closed, age), before: age - 1, ...level, subject: nameOf.line(line.n) };
      return fire(state, fact, line.n);
    });
}

function closeSum(closed: Closed, subject: string, accounts: readonly number[], below: number) {
  const { state, trigger, cycle } = closed;
  const plans = plansOf(trigger.rule);
  const used = sumOf(state, cycle, (entry) => accounts.includes(entry.account) && plans.includes(entry.plan));
  if (used >= below) return [];
  const level = { kind: 'bytes', level: below, threshold: below } as const;
  return [fire(state, { ...atClosing(closed, used), ...level, subject })];
}

/** Percentages that are reached now because the pool is smaller, and a pool that was not used up. */
function closePool(
  closed: Closed,
  subject: string,
  { accounts, plans }: { accounts: readonly number[]; plans: readonly string[] },
  { percents, below }: { percents: readonly number[]; below: boolean },
): (Firing | undefined)[] {
  const { state, cycle } = closed;
  const pool = poolOf(state, accounts, plans);
  if (pool <= 0) return [];
  const used = sumOf(state, cycle, (entry) => accounts.includes(entry.account) && plans.includes(entry.plan));
  const found = percents
    .map((percent) => percentLevel(percent, pool))
    .filter(({ isReached }) => isReached(used, used))
    .map(({ kind, level, threshold }) =>
      fire(state, { ...atClosing(closed, used), kind, level, threshold, subject }),
    );
  if (below && used < pool)
    found.push(
      fire(state, { ...atClosing(closed, used), kind: 'poolBelow', level: 100, threshold: pool, subject }),
    );
  return found;
}

function close(closed: Closed): (Firing | undefined)[] {
  const { state, cycle } = closed;
  const { rule } = closed.trigger;
  const { account, shortened } = cycle;
  // Whatever falls below a value in a cycle that is too short means nothing.
  if (shortened && (rule.kind === 'line' || rule.kind === 'account')) return [];
  switch (rule.kind) {
    case 'line':
      return closeLines(closed, bytesOf(rule.than));
    case 'account': {
      const [subject, accounts] = rule.combined
        ? ['combined', rule.accounts]
        : [nameOf.account(account), [account]];
      return closeSum(closed, subject, accounts, bytesOf(rule.than));
    }
    case 'aging':
      return closeAges(closed, rule.cycles);
    case 'allowance': {
      const members = { accounts: [account], plans: plansOf(rule) };
      return closePool(closed, nameOf.account(account), members, { percents: rule.percents, below: false });
    }
    default: {
      const below = rule.kind === 'poolMove' && rule.below !== undefined && !shortened;
      return closePool(closed, 'group', state.group, { percents: poolPercents(rule), below });
    }
  }
}

/** All moments at which something closes for active triggers. */
export const closingTimes = (state: State): readonly number[] =>
  state.triggers
    .filter(({ active }) => active)
    .flatMap((trigger) => closingsOf(trigger, state))
    .map(({ at }) => at(state.now).closes);

/** Evaluates everything that closes now: oldest trigger first, each by the state before any action. */
export function closeCycles(state: State): readonly Begun[] {
  const begun: Begun[] = [];
  for (const trigger of state.triggers.filter(({ active }) => active))
    for (const { at } of closingsOf(trigger, state)) {
      const cycle = at(state.now - 1);
      if (cycle.closes !== state.now) continue;
      const found = close({ state, trigger, cycle }).filter((firing) => firing !== undefined);
      begun.push(...follow(state, found));
    }
  return begun;
}
