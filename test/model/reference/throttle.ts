import { planOf } from '../catalogue.ts';
import { iso, nameOf } from '../outcome.ts';
import { cyclesLedBy, cyclesOf, ledBy } from './cycles.ts';
import { accountOf, type Entry, isData, poolOf, present, type State, sumOf } from './state.ts';

/** Half up, to two digits. */
const percentOf = (used: number, allowance: number) =>
  Number((BigInt(used) * 20_000n + BigInt(allowance)) / (2n * BigInt(allowance))) / 100;

function noticeThrottling(
  state: State,
  who: object,
  key: number,
  plan: string,
  used: number,
  allowance: number,
) {
  const { throttleAt } = planOf(plan)!;
  if (throttleAt === undefined || allowance <= 0 || used * 100 < allowance * throttleAt) return;
  const once = `${JSON.stringify(who)} ${key} ${plan}`;
  if (state.throttled.has(once)) return;
  state.throttled.add(once);
  const throttle = throttleAt >= 100 ? 'complete' : 'partial';
  state.outcome.throttled.push({
    ...who,
    plan,
    throttle,
    percent: percentOf(used, allowance),
    at: iso(state.now),
  });
}

/** For an open billing month and registered listeners: for lines, and for a pool if the plan is shared. */
export function throttle(state: State, fresh: readonly Entry[]): void {
  const listens = (account: number) =>
    accountOf(state, account).listens.includes('SubscriptionNotificationService');
  const { accounts, plans } = state.group;
  const isShared = (account: number, plan: string) => accounts.includes(account) && plans.includes(plan);
  /** A line that has left is not throttled. */
  const isHeld = (account: number, n: number, plan: string) => {
    const line = state.lines[n]!;
    return line.state !== 'gone' && line.account === account && present(line).plan === plan;
  };
  const open = fresh.filter((entry) => isData(entry) && !entry.delayed && planOf(entry.plan) !== undefined);
  for (const { account, line, plan, at } of open) {
    if (!listens(account) || isShared(account, plan) || !isHeld(account, line, plan)) continue;
    const month = cyclesOf(state, account, 'Monthly').at(at);
    const used = sumOf(
      state,
      month,
      (entry) => entry.line === line && entry.account === account && entry.plan === plan,
    );
    const who = { account: nameOf.account(account), line: nameOf.line(line) };
    noticeThrottling(state, who, month.opens, plan, used, planOf(plan)!.allowance ?? 0);
  }
  if (!open.some(({ account, plan }) => isShared(account, plan))) return;
  const month = cyclesLedBy(state, ledBy(accounts[0]!), 'Monthly').at(state.now);
  const used = sumOf(state, month, ({ account, plan }) => isShared(account, plan));
  for (const account of accounts.filter(listens))
    for (const plan of plans)
      noticeThrottling(
        state,
        { account: nameOf.account(account), line: null },
        month.opens,
        plan,
        used,
        poolOf(state, accounts, plans),
      );
}
