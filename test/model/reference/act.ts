import type { PoolMoves, Rule, Suspension } from '../case.ts';
import { planNamed, planOf, plansCalled } from '../catalogue.ts';
import { nameOf, type Undone } from '../outcome.ts';
import { type Moved, tell } from './alerts.ts';
import { type Firing, inOrder } from './fire.ts';
import { changePlan, suspend } from './lines.ts';
import { isActiveOn, type LineState, plansOf, poolOf, present, type State, sumOf } from './state.ts';

/** What a firing does in an account: to its own line, or to all that are named. */
interface Act {
  readonly firing: Firing;
  readonly account: number;
  /** Lines that have left these are left alone. */
  readonly onPlans: readonly string[];
  readonly what: { readonly suspend: Suspension } | { readonly moveTo: string };
  readonly lines: readonly LineState[];
  readonly ownLine: boolean;
}

const activeOn = (state: State, account: number, plans: readonly string[]) =>
  state.lines.filter((line) => line.account === account && isActiveOn(line, plans));

type OfAccounts = Extract<Rule, { accounts: readonly number[] }>;

function actsOfAccounts(state: State, firing: Firing, rule: OfAccounts): readonly Act[] {
  const onPlans = plansOf(rule);
  const { account, line, kind, level } = firing;
  if (rule.kind === 'line' || rule.kind === 'aging') {
    const { action } = rule;
    const own = { firing, account, onPlans, lines: [state.lines[line!]!], ownLine: true };
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

/** What a rule on a group does to the line that has reached a percentage of the plan on which it was counted. */
function actsOfLine(state: State, firing: Firing, rule: Rule): readonly Act[] {
  const own = { firing, account: firing.account, lines: [state.lines[firing.line!]!], ownLine: true };
  const isIt = (carrierCode: string) => plansCalled(carrierCode).includes(firing.plan!);
  if (rule.kind === 'shareSuspend')
    return rule.of
      .filter(({ plan }) => isIt(plan))
      .map(({ plan }) => ({ ...own, onPlans: plansCalled(plan), what: { suspend: rule } }));
  if (rule.kind !== 'shareMove') return [];
  return rule.of
    .filter(({ from }) => isIt(from))
    .map(({ from, to }) => ({ ...own, onPlans: plansCalled(from), what: { moveTo: to } }));
}

const allowanceOf = (plan: string) => planOf(plan)?.allowance ?? 0;

/** The lines that change plans until the buffer is restored: largest overage first, or smallest usage first. */
function chosenLines(state: State, firing: Firing, { moves, buffer }: PoolMoves, isUp: boolean) {
  const { accounts, plans } = state.case.group;
  const usedBy = (line: LineState) =>
    sumOf(state, firing.cycle, (e) => e.line === line.n && plans.includes(e.plan));
  const used = sumOf(state, firing.cycle, (e) => accounts.includes(e.account) && plans.includes(e.plan));
  const needed = used + (used * buffer) / 100;
  const goal = new Map(moves.map(({ from, to }) => [planNamed(from), planNamed(to)]));
  const candidates = state.lines
    .filter((line) => accounts.includes(line.account) && isActiveOn(line, [...goal.keys()]))
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

function actsOfPool(state: State, firing: Firing, rule: Extract<Rule, { kind: 'poolMove' }>): readonly Act[] {
  const isUp = firing.after >= firing.threshold;
  const moves = isUp ? rule.above : rule.below;
  if (moves === undefined) return [];
  const isIdle = firing.late || state.paused;
  const chosen = isIdle ? [] : chosenLines(state, firing, moves, isUp);
  const together = Map.groupBy(chosen, ({ line, to }) => `${line.account} ${present(line).plan} ${to}`);
  const first = moves.moves[0]!;
  if (chosen.length === 0)
    return [
      {
        firing,
        account: firing.account,
        onPlans: [first.from],
        what: { moveTo: first.to },
        lines: [],
        ownLine: false,
      },
    ];
  return [...together.values()].map((some) => ({
    firing,
    account: some[0]!.line.account,
    onPlans: [present(some[0]!.line).plan],
    what: { moveTo: some[0]!.to },
    lines: some.map(({ line }) => line),
    ownLine: false,
  }));
}

function actsOf(state: State, firing: Firing): readonly Act[] {
  const { rule } = firing.trigger;
  if ('accounts' in rule) return actsOfAccounts(state, firing, rule);
  return rule.kind === 'poolMove' ? actsOfPool(state, firing, rule) : actsOfLine(state, firing, rule);
}

/** An action that is begun when those before it in the account have ended. */
export type Begun = (state: State) => void;

function note(
  act: Act,
  found: { state: string; reason: Undone | null; succeeded?: number; failed?: number },
  devices: number,
) {
  const { firing, account, what } = act;
  firing.actions.push({
    account: nameOf.account(account),
    what: 'suspend' in what ? `suspend ${what.suspend.duration}` : `move to ${planNamed(what.moveTo)}`,
    lines: act.ownLine ? 1 : devices,
    succeeded: 0,
    failed: 0,
    ...found,
  });
}

function carryOut(state: State, act: Act): void {
  const still = act.lines.filter((line) => isActiveOn(line, act.onPlans));
  if (still.length === 0) {
    note(act, { state: 'skipped', reason: act.ownLine ? 'left' : 'no line' }, act.lines.length);
    return;
  }
  const faults = still.map((line) =>
    'suspend' in act.what
      ? suspend(state, line, act.what.suspend.duration)
      : changePlan(state, line, planNamed(act.what.moveTo)),
  );
  const failed = faults.filter((fault) => fault !== undefined);
  const succeeded = still.length - failed.length;
  note(
    act,
    {
      state: failed.length > 0 ? 'failed' : 'done',
      reason: failed[0] ?? null,
      succeeded,
      failed: failed.length,
    },
    act.lines.length,
  );
}

/** Told first; what is done follows when all that was counted is. Answers what is to be done, in its order. */
export function follow(state: State, firings: readonly Firing[]): readonly Begun[] {
  const begun: Begun[] = [];
  for (const firing of inOrder(firings)) {
    const acts = actsOf(state, firing);
    const idle = firing.late ? 'late' : state.paused ? 'paused' : undefined;
    const moved: Moved[] = acts.flatMap(({ what, lines }) =>
      'moveTo' in what && idle === undefined
        ? lines.map((line) => ({ from: present(line).plan, to: what.moveTo }))
        : [],
    );
    tell(state, firing, moved);
    for (const act of acts) {
      if (idle !== undefined) note(act, { state: 'skipped', reason: idle }, 0);
      else if (act.lines.length === 0) note(act, { state: 'skipped', reason: 'no line' }, 0);
      else begun.push(() => carryOut(state, act));
    }
  }
  return begun;
}
