import { type PoolMoves, type Rule, type Suspension, UNAPPROVED_MAX } from '../case.ts';
import { planNamed, planOf, plansCalled } from '../catalogue.ts';
import type { Undone } from '../outcome.ts';
import type { Moved } from './alerts.ts';
import { type Act, type Chain, carryOut, note, type What } from './carry-out.ts';
import { type Firing, inOrder } from './fire.ts';
import { announce } from './people.ts';
import { isActiveOn, type LineState, plansOf, poolOf, present, type State, sumOf } from './state.ts';

const activeOn = (state: State, account: number, plans: readonly string[]) =>
  state.lines.filter((line) => line.account === account && isActiveOn(line, plans));

type OfAccounts = Extract<Rule, { accounts: readonly number[] }>;

function actsOfAccounts(state: State, firing: Firing, rule: OfAccounts): readonly Act[] {
  const onPlans = plansOf(rule);
  const { account, line, plan, kind, level } = firing;
  if (rule.kind === 'line' || rule.kind === 'aging') {
    const { action } = rule;
    // A line that has left the plan on which it was counted is skipped.
    const own = {
      firing,
      account,
      onPlans: plan === undefined ? onPlans : [plan],
      lines: [state.lines[line!]!],
      ownLine: true,
    };
    if (action.type === 'move') return [{ ...own, what: { moveTo: action.to } }];
    return action.type === 'suspend' && action.from.includes(account)
      ? [{ ...own, what: { suspend: action } }]
      : [];
  }
  if (rule.suspend === undefined) return [];
  if (rule.kind === 'account' && kind !== 'suspendBytes') return [];
  // The lower percentages warn of the highest.
  if (rule.kind === 'allowance' && level < Math.max(...rule.percents)) return [];
  const isTogether = rule.kind === 'account' && rule.combined;
  const what = { suspend: rule.suspend };
  return rule.suspend.from
    .filter((one) => isTogether || one === account)
    .map((one) => ({
      firing,
      account: one,
      onPlans,
      what,
      lines: activeOn(state, one, onPlans),
      ownLine: false,
    }));
}

/** The actions of a group rule for the line that has reached a percentage of the plan on which it was counted. */
function actsOfLine(state: State, firing: Firing, rule: Rule): readonly Act[] {
  const own = { firing, account: firing.account, lines: [state.lines[firing.line!]!], ownLine: true };
  const isIt = (carrierCode: string) => plansCalled(carrierCode).includes(firing.plan!);
  if (rule.kind === 'shareSuspend') {
    const suspend: Suspension = { duration: rule.duration, withBilling: rule.withBilling };
    return rule.of
      .filter(({ plan }) => isIt(plan))
      .map(({ plan }) => ({ ...own, onPlans: plansCalled(plan), what: { suspend } }));
  }
  if (rule.kind !== 'shareMove') return [];
  const { backDate } = rule;
  return rule.of
    .filter(({ from }) => isIt(from))
    .map(({ from, to }) => ({
      ...own,
      onPlans: plansCalled(from),
      what: { moveTo: to, ...(backDate && { backDate }) },
    }));
}

const allowanceOf = (plan: string) => planOf(plan)?.allowance ?? 0;

/** The lines that change plans until the buffer is restored: largest overage first, or smallest usage first. */
function chosenLines(
  state: State,
  firing: Firing,
  { moves, buffer }: PoolMoves,
  { isUp, chain }: { readonly isUp: boolean; readonly chain: Chain | undefined },
) {
  const { accounts, plans } = state.group;
  const usedBy = (line: LineState) =>
    sumOf(
      state,
      firing.cycle,
      (e) => e.line === line.n && e.account === line.account && plans.includes(e.plan),
    );
  const used = sumOf(state, firing.cycle, (e) => accounts.includes(e.account) && plans.includes(e.plan));
  const needed = used + (used * buffer) / 100;
  const goal = new Map(moves.map(({ from, to }) => [planNamed(from), planNamed(to)]));
  const candidates = state.lines
    .filter((line) => accounts.includes(line.account) && isActiveOn(line, [...goal.keys()]))
    .filter(({ n }) => !chain?.moved.has(n))
    .map((line) => {
      const { plan } = present(line);
      const to = goal.get(plan)!;
      const gained = (plans.includes(to) ? allowanceOf(to) : 0) - allowanceOf(plan);
      return { line, to, gained, used: usedBy(line), over: usedBy(line) - allowanceOf(plan) };
    })
    .toSorted((a, b) => (isUp ? b.over - a.over : a.used - b.used) || a.line.n - b.line.n);
  let pool = poolOf(state, accounts, plans);
  const chosen: typeof candidates = [];
  for (const one of candidates) {
    if (isUp ? one.gained <= 0 : one.gained >= 0) continue;
    if (isUp ? pool >= needed : pool + one.gained < needed) break;
    pool += one.gained;
    chosen.push(one);
  }
  return chosen;
}

function actsOfPool(
  state: State,
  firing: Firing,
  rule: Extract<Rule, { kind: 'poolMove' }>,
  chain: Chain | undefined,
): readonly Act[] {
  const isUp = firing.after >= firing.threshold;
  const moves = isUp ? rule.above : rule.below;
  if (moves === undefined) return [];
  const isIdle = firing.late || state.paused;
  const chosen = isIdle ? [] : chosenLines(state, firing, moves, { isUp, chain });
  const together = Map.groupBy(chosen, ({ line, to }) => `${line.account} ${present(line).plan} ${to}`);
  const first = moves.moves[0]!;
  // Decisions at the close of a cycle concern the one that begins.
  const { backDate } = moves;
  const whatOf = (moveTo: string): What => ({
    moveTo,
    ...(backDate && { backDate, notBefore: firing.cycle.closes <= state.now ? firing.cycle.closes : 0 }),
  });
  const own = { firing, ownLine: false };
  if (chosen.length === 0)
    return [{ ...own, account: firing.account, onPlans: [first.from], what: whatOf(first.to), lines: [] }];
  return [...together.values()].map((some) => ({
    ...own,
    account: some[0]!.line.account,
    onPlans: [present(some[0]!.line).plan],
    what: whatOf(some[0]!.to),
    lines: some.map(({ line }) => line),
  }));
}

function actsOf(state: State, firing: Firing, chain: Chain | undefined): readonly Act[] {
  const { rule } = firing.trigger;
  if ('accounts' in rule) return actsOfAccounts(state, firing, rule);
  return rule.kind === 'poolMove' ? actsOfPool(state, firing, rule, chain) : actsOfLine(state, firing, rule);
}

/** Work that starts when the earlier work in the account has ended. Returns the consequences. */
export interface Begun {
  readonly account: number;
  readonly begin: (state: State) => { readonly movedUsage: boolean; readonly next: readonly Begun[] };
}

const begunBy = (acts: readonly Act[], chain: Chain | undefined): Begun => ({
  account: acts[0]!.account,
  begin: (state) => {
    const { firings, movedUsage, chain: on } = carryOut(state, acts, chain);
    return { movedUsage, next: follow(state, firings, on) };
  },
});

/** Notifies first; actions follow after everything is counted. Returns the actions in order. */
export function follow(
  state: State,
  firings: readonly Firing[],
  chain: Chain | undefined = undefined,
): readonly Begun[] {
  const waiting: Act[] = [];
  for (const firing of inOrder(firings)) {
    const acts = actsOf(state, firing, chain);
    const affected = acts.reduce((sum, { lines }) => sum + lines.length, 0);
    const idleOf = ({ what, lines, ownLine }: Act): Undone | undefined => {
      if (firing.late) return 'late';
      if (state.paused) return 'paused';
      return ownLine && 'moveTo' in what && chain?.moved.has(lines[0]!.n) ? 'moved' : undefined;
    };
    const begins = acts.filter((act) => idleOf(act) === undefined);
    const needsApproval = begins.length > 0 && affected > UNAPPROVED_MAX;
    firing.moved = begins.flatMap((by): Moved[] => {
      const { what, lines } = by;
      return 'moveTo' in what ? lines.map((line) => ({ from: present(line).plan, to: what.moveTo, by })) : [];
    });
    for (const act of acts) {
      const idle = idleOf(act) ?? (act.lines.length === 0 ? 'no line' : undefined);
      if (idle === undefined && needsApproval)
        note(act, { state: 'awaitingApproval', reason: 'too many' }, act.lines.length);
      else if (idle === undefined) waiting.push(act);
      else note(act, { state: 'skipped', reason: idle }, 0);
    }
    const some = begins.filter(({ lines }) => lines.length > 0);
    if (needsApproval)
      state.waiting.push({
        firing,
        acts: some,
        chain,
        begin: () => some.map((act) => begunBy([act], chain)),
        state: 'waiting',
      });
  }
  for (const [trigger, own] of Map.groupBy(inOrder(firings), (one) => one.trigger))
    announce(state, trigger, own);
  // Identical actions of a trigger for lines of one account are carried out together.
  const together = Map.groupBy(waiting, ({ firing, account, what, onPlans, ownLine }) =>
    JSON.stringify([firing.trigger.name, account, what, onPlans, ownLine || firings.indexOf(firing)]),
  );
  return [...together.values()].map((acts) => begunBy(acts, chain));
}
