import { bytesOf, type Comparator, type Rule } from '../case.ts';
import { planOf, plansCalled } from '../catalogue.ts';
import { nameOf } from '../outcome.ts';
import { type Cycles, cyclesLedBy, cyclesOf } from './cycles.ts';
import { type Entry, plansOf, poolOf, type State, type Trigger } from './state.ts';

export type LevelKind = 'bytes' | 'suspendBytes' | 'percent' | 'billCycles' | 'poolBelow';

export interface Level {
  readonly kind: LevelKind;
  readonly level: number;
  /** In bytes. */
  readonly threshold: number;
  readonly isReached: (before: number, after: number) => boolean;
}

/** A counter that a record adds to, and what a trigger compares it with. */
export interface Watch {
  readonly subject: string;
  readonly cycles: Cycles;
  readonly counts: (entry: Entry) => boolean;
  readonly levels: readonly Level[];
}

const beyond: Record<Comparator, (threshold: number) => Level['isReached']> = {
  gt: (threshold) => (_, after) => after > threshold,
  eq: (threshold) => (before, after) => before < threshold && after >= threshold,
  // Only when the cycle has closed.
  lt: () => () => false,
};

const bytesLevel = (kind: LevelKind, cmp: Comparator, threshold: number): Level => ({
  kind,
  level: threshold,
  threshold,
  isReached: beyond[cmp](threshold),
});

/** Reached means at least this much. An allowance of zero has no percentage. */
export const percentLevel = (level: number, allowance: number): Level => ({
  kind: 'percent',
  level,
  threshold: (allowance * level) / 100,
  isReached: (_, after) => allowance > 0 && after * 100 >= allowance * level,
});

/** A line has a separate counter in each account. */
const sameLine =
  ({ line, account, plan }: Entry) =>
  (other: Entry) =>
    other.line === line && other.account === account && other.plan === plan;

function ofAccounts(
  rule: Extract<Rule, { accounts: readonly number[] }>,
  { leaders }: Trigger,
  entry: Entry,
  state: State,
): Watch[] {
  const plans = plansOf(rule);
  if (!rule.accounts.includes(entry.account) || !plans.includes(entry.plan)) return [];
  const { account } = entry;
  const among = (accounts: readonly number[]) => (other: Entry) =>
    accounts.includes(other.account) && plans.includes(other.plan);
  const own = { subject: nameOf.account(account), counts: among([account]) };
  switch (rule.kind) {
    case 'aging':
      return [];
    case 'line': {
      const levels = [bytesLevel('bytes', rule.cmp, bytesOf(rule.than))];
      const cycles = cyclesOf(state, account, rule.cycle);
      return [{ subject: nameOf.line(entry.line), cycles, counts: sameLine(entry), levels }];
    }
    case 'account': {
      const levels = [bytesLevel('bytes', rule.cmp, bytesOf(rule.than))];
      if (rule.suspend) levels.push(bytesLevel('suspendBytes', 'gt', bytesOf(rule.suspend.than)));
      if (!rule.combined) return [{ ...own, cycles: cyclesOf(state, account, rule.cycle), levels }];
      const cycles = cyclesLedBy(state, leaders, rule.cycle);
      return [{ subject: 'combined', cycles, counts: among(rule.accounts), levels }];
    }
    case 'allowance': {
      const pool = poolOf(state, [account], plans);
      const levels = rule.percents.map((percent) => percentLevel(percent, pool));
      return [{ ...own, cycles: cyclesOf(state, account, 'Monthly'), levels }];
    }
  }
}

/** The percentages of a line's own allowance that a group rule names for a plan. */
function percentsOf(rule: Rule, plan: string): readonly number[] {
  const isIt = (carrierCode: string) => plansCalled(carrierCode).includes(plan);
  if (rule.kind === 'shareNotify')
    return rule.of.filter((one) => isIt(one.plan)).flatMap((one) => one.percents);
  if (rule.kind === 'shareSuspend') return rule.of.filter((one) => isIt(one.plan)).map((one) => one.percent);
  if (rule.kind === 'shareMove') return rule.of.filter((one) => isIt(one.from)).map((one) => one.percent);
  return [];
}

export const poolPercents = (rule: Rule): readonly number[] => {
  if (rule.kind === 'poolNotify') return rule.percents;
  return rule.kind === 'poolMove' && rule.above !== undefined ? [100] : [];
};

/** Every counter of a rule that includes the record. */
export function watchesOf(trigger: Trigger, entry: Entry, state: State): readonly Watch[] {
  const { rule } = trigger;
  if ('accounts' in rule) return ofAccounts(rule, trigger, entry, state);
  const { accounts, plans } = state.group;
  if (!accounts.includes(entry.account) || !plans.includes(entry.plan)) return [];
  if (rule.kind === 'poolNotify' || rule.kind === 'poolMove') {
    const pool = poolOf(state, accounts, plans);
    const counts = (other: Entry) => accounts.includes(other.account) && plans.includes(other.plan);
    const levels = poolPercents(rule).map((percent) => percentLevel(percent, pool));
    return [{ subject: 'group', cycles: cyclesLedBy(state, trigger.leaders, 'Monthly'), counts, levels }];
  }
  const allowance = planOf(entry.plan)?.allowance ?? 0;
  const levels = percentsOf(rule, entry.plan).map((percent) => percentLevel(percent, allowance));
  const cycles = cyclesOf(state, entry.account, 'Monthly');
  return [{ subject: nameOf.line(entry.line), cycles, counts: sameLine(entry), levels }];
}
