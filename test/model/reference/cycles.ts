import {
  CYCLE_KINDS,
  type CycleKind,
  changeRule,
  DAY_MS,
  type DatedRule,
  dayAt,
  ruleAt,
  type Stretch,
  stretchAt,
} from './calendar.ts';
import type { Entry, State } from './state.ts';

export type Boundaries = Record<CycleKind, readonly DatedRule[]>;

type Settings = Pick<DatedRule, 'timeZone' | 'billDay'>;

export const boundariesOf = ({ timeZone, billDay }: Settings): Boundaries => {
  const always = [{ from: Number.NEGATIVE_INFINITY, timeZone, billDay }];
  return { Daily: always, Weekly: always, Monthly: always };
};

/** The cycles that have begun stay as they are. */
export function changeSettings(state: State, account: number, { timeZone, billDay }: Settings): void {
  const changed = state.accounts[account]!;
  Object.assign(changed, { timeZone, billDay });
  for (const kind of CYCLE_KINDS)
    changed.boundaries[kind] = changeRule(changed.boundaries[kind], kind, { timeZone, billDay }, state.now);
}

/** A cycle of an account. */
export interface Cycle extends Stretch {
  readonly account: number;
  readonly has: (entry: Entry) => boolean;
}

/** The cycles of one kind in which usage is counted. */
export interface Cycles {
  readonly at: (ms: number) => Cycle;
  /** Undefined if it is not determined. */
  readonly of: (entry: Entry) => Cycle | undefined;
}

export function cycleAt(state: State, account: number, kind: CycleKind, ms: number): Cycle {
  const stretch = stretchAt(state.accounts[account]!.boundaries[kind], kind, ms);
  return { ...stretch, account, has: ({ at }) => at >= stretch.opens && at < stretch.closes };
}

export const openCycle = (state: State, account: number, kind: CycleKind): Cycle =>
  cycleAt(state, account, kind, state.now);

export const cyclesOf = (state: State, account: number, kind: CycleKind): Cycles => ({
  at: (ms) => cycleAt(state, account, kind, ms),
  of: (entry) => cycleAt(state, account, kind, entry.at),
});

/** The date of the day on which usage of this instant is counted. */
export const dateAt = (state: State, account: number, ms: number) =>
  dayAt(ruleAt(state.accounts[account]!.boundaries.Daily, ms).timeZone, ms);

/** The account whose cycles several accounts follow together, from an instant on. */
interface Leader {
  readonly from: number;
  readonly account: number;
}

export type Leaders = Record<CycleKind, readonly Leader[]>;

export const ledBy = (account: number): Leaders => {
  const always = [{ from: Number.NEGATIVE_INFINITY, account }];
  return { Daily: always, Weekly: always, Monthly: always };
};

function ledAt(state: State, leaders: readonly Leader[], kind: CycleKind, ms: number): Omit<Cycle, 'has'> {
  const leader = leaders.findLast(({ from }) => from <= ms)!;
  const next = leaders.find(({ from }) => from > ms);
  const { account } = leader;
  const { opens, closes, shortened } = cycleAt(state, account, kind, ms);
  return {
    account,
    opens: Math.max(opens, leader.from),
    closes: Math.min(closes, next?.from ?? Number.POSITIVE_INFINITY),
    shortened: shortened || opens < leader.from,
  };
}

/** Another leader is like a change of boundaries: it is followed when the open cycle has ended. */
export function follow(state: State, leaders: Leaders, account: number): void {
  for (const kind of CYCLE_KINDS) {
    const begun = leaders[kind].filter(({ from }) => from <= state.now);
    const from = ledAt(state, leaders[kind], kind, state.now).closes;
    leaders[kind] = begun.at(-1)!.account === account ? begun : [...begun, { from, account }];
  }
}

/** A date of one account is this near to the same date of another. */
const NEAR_MS = 2 * DAY_MS;

/**
 * Usage of the leader is in the cycle of its time. Usage of another account is in the cycle in which the leader has the
 * same date. Undefined if the leader has it in none or in several.
 */
function startOfCycleOf(
  state: State,
  leaders: readonly Leader[],
  kind: CycleKind,
  { account, at, day }: Entry,
): number | undefined {
  const near = leaders.filter(
    ({ from }, n) =>
      from <= at + NEAR_MS && (leaders[n + 1]?.from ?? Number.POSITIVE_INFINITY) > at - NEAR_MS,
  );
  if (near.length === 1 && near[0]!.account === account) return ledAt(state, leaders, kind, at).opens;
  const starts = new Set<number>();
  for (const leader of near)
    for (let ms = at - NEAR_MS; ms <= at + NEAR_MS; ) {
      const { opens, closes } = cycleAt(state, leader.account, 'Daily', ms);
      if (dateAt(state, leader.account, opens) === day)
        for (const one of [opens, closes - 1]) starts.add(ledAt(state, leaders, kind, one).opens);
      ms = closes;
    }
  return starts.size === 1 ? [...starts][0] : undefined;
}

/** The cycles of several accounts that count together. */
export function cyclesLedBy(state: State, all: Leaders, kind: CycleKind): Cycles {
  const leaders = all[kind];
  const startOf = (entry: Entry) => {
    const start = startOfCycleOf(state, leaders, kind, entry);
    if (start === undefined) state.undecidedAt ??= state.now;
    return start;
  };
  const at = (ms: number): Cycle => {
    const cycle = ledAt(state, leaders, kind, ms);
    return { ...cycle, has: (entry) => startOf(entry) === cycle.opens };
  };
  return {
    at,
    of: (entry) => {
      const start = startOf(entry);
      return start === undefined ? undefined : at(start);
    },
  };
}
