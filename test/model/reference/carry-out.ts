import type { Suspension } from '../case.ts';
import { planNamed } from '../catalogue.ts';
import { nameOf, type Undone } from '../outcome.ts';
import { openCycle } from './cycles.ts';
import type { Firing } from './fire.ts';
import { changePlan, suspend } from './lines.ts';
import { moveUsage } from './move-usage.ts';
import { cameAt, isActiveOn, type LineState, type State } from './state.ts';

export type What =
  | { readonly suspend: Suspension }
  | { readonly moveTo: string; readonly backDate?: true; readonly notBefore?: number };

/** The effect of a firing in an account: on its own line, or on all named lines. */
export interface Act {
  readonly firing: Firing;
  readonly account: number;
  /** Lines that have left these plans, or the account, do not change. */
  readonly onPlans: readonly string[];
  readonly what: What;
  readonly lines: readonly LineState[];
  readonly ownLine: boolean;
  /** Its result, when there is one. */
  noted?: { readonly state: string };
}

/** Consequences of moved usage: a line whose plan has changed in the chain does not change again. */
export interface Chain {
  readonly moved: Set<number>;
}

export function note(
  act: Act,
  found: { state: string; reason: string | null; succeeded?: number; failed?: number },
  devices: number,
) {
  const { firing, account, what } = act;
  const result = {
    account: nameOf.account(account),
    what: 'suspend' in what ? `suspend ${what.suspend.duration}` : `move to ${planNamed(what.moveTo)}`,
    lines: act.ownLine ? 1 : devices,
    succeeded: 0,
    failed: 0,
    ...found,
  };
  if (act.noted === undefined) firing.actions.push(result);
  act.noted = Object.assign(act.noted ?? result, result);
}

export interface CarriedOut {
  readonly firings: readonly Firing[];
  readonly movedUsage: boolean;
  readonly chain: Chain | undefined;
}

/** Changes all plans, then moves the usage of all lines, then evaluates the levels reached. */
function changePlans(
  state: State,
  lines: readonly LineState[],
  { moveTo, backDate, notBefore = 0 }: Extract<What, { moveTo: string }>,
  chain: Chain | undefined,
): CarriedOut & { readonly faults: ReadonlyMap<LineState, Undone | undefined> } {
  const plan = planNamed(moveTo);
  const on = chain ?? (backDate && { moved: new Set<number>() });
  const changed = new Map<LineState, number>();
  const faults = new Map<LineState, Undone | undefined>();
  for (const line of lines) {
    const opens = openCycle(state, line.account, 'Monthly').opens;
    const since = backDate ? Math.max(opens, notBefore, cameAt(line)) : state.now;
    const found = changePlan(state, line, plan, since);
    faults.set(line, found === 'changed' ? undefined : found);
    if (found !== 'changed') continue;
    on?.moved.add(line.n);
    changed.set(line, since);
  }
  const moved = backDate ? moveUsage(state, changed, plan) : { firings: [], movedUsage: false };
  return { ...moved, faults, chain: on };
}

const suspendAll = (state: State, lines: readonly LineState[], { duration }: Suspension) =>
  new Map(lines.map((line) => [line, suspend(state, line, duration)]));

/** Carries out together what several firings of a trigger request in the same way. */
export function carryOut(state: State, acts: readonly Act[], chain: Chain | undefined): CarriedOut {
  const { onPlans, what, account } = acts[0]!;
  const asked = [...new Set(acts.flatMap(({ lines }) => lines))];
  const isAgain = ({ n }: LineState) => 'moveTo' in what && chain?.moved.has(n) === true;
  const again = asked.filter(isAgain);
  const still = asked
    .filter((line) => !isAgain(line) && line.account === account && isActiveOn(line, onPlans))
    .toSorted((a, b) => a.n - b.n);
  const nothing = { firings: [], movedUsage: false, chain };
  const { faults, ...done } =
    'suspend' in what
      ? { ...nothing, faults: suspendAll(state, still, what.suspend) }
      : changePlans(state, still, what, chain);
  for (const act of acts) {
    const own = act.lines.filter((line) => faults.has(line));
    if (own.length === 0) {
      const reason = !act.ownLine ? 'no line' : again.includes(act.lines[0]!) ? 'moved' : 'left';
      note(act, { state: 'skipped', reason }, act.lines.length);
      continue;
    }
    const failed = own.map((line) => faults.get(line)).filter((fault) => fault !== undefined);
    const counts = { succeeded: own.length - failed.length, failed: failed.length };
    const ended = { state: failed.length > 0 ? 'failed' : 'done', reason: failed[0] ?? null, ...counts };
    note(act, ended, act.lines.length);
  }
  return done;
}
