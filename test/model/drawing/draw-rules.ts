import type { SeededRandom } from '../../support/seeded-random.ts';
import type { Case, Comparator, LineAction, PoolMoves, Rule, Sends, Suspension, Threshold } from '../case.ts';
import { planOf } from '../catalogue.ts';
import type { CycleKind } from '../reference/calendar.ts';

/** Common properties of a fleet's triggers: many profiles have only one kind of cycle. */
export interface Habit {
  /** How often a plan that lines are moved to begins with the bill cycle. */
  readonly backDating: number;
  readonly cycles: readonly CycleKind[];
  readonly kinds: readonly Rule['kind'][];
  /** How often a trigger acts instead of only notifying, from 0 to 1. */
  readonly acting: number;
}

const KINDS: readonly Rule['kind'][] = [
  'line',
  'account',
  'allowance',
  'aging',
  'shareNotify',
  'shareSuspend',
  'shareMove',
  'poolNotify',
  'poolMove',
];
const HABITS: readonly (readonly CycleKind[])[] = [
  ['Monthly'],
  ['Monthly'],
  ['Weekly'],
  ['Daily'],
  ['Monthly', 'Weekly'],
  ['Daily', 'Weekly', 'Monthly'],
];

/** Lines are moved from plan to plan, each time from the beginning of the bill cycle on. */
export const BACK_DATING: Habit = {
  cycles: ['Monthly'],
  kinds: ['shareMove', 'shareMove', 'line', 'poolMove'],
  acting: 0.5,
  backDating: 1,
};

/** Actions on many lines, which wait for approval. */
export const ASKING: Habit = {
  cycles: ['Weekly', 'Monthly'],
  kinds: ['account', 'account', 'allowance', 'poolMove'],
  acting: 1,
  backDating: 0.3,
};

export function drawHabit(random: SeededRandom): Habit {
  const cycles = random.pick(HABITS);
  const kinds = random.pick([
    ['line'],
    ['line', 'account'],
    ['line', 'account'],
    ['account'],
    ['allowance', 'line'],
    ['shareNotify', 'shareSuspend', 'shareMove'],
    ['poolNotify', 'poolMove'],
    ['poolNotify', 'shareMove'],
    ['shareMove', 'line', 'account'],
    ['shareMove', 'line', 'account'],
    ['shareMove', 'shareMove', 'shareNotify', 'shareSuspend', 'allowance'],
    ['shareMove', 'shareNotify', 'line', 'allowance'],
    ['shareMove', 'poolMove', 'poolNotify', 'account'],
    ['shareMove', 'poolMove', 'poolNotify', 'account'],
    KINDS,
    KINDS,
  ] as const satisfies readonly (readonly Rule['kind'][])[]);
  return { cycles, kinds, acting: random.pick([0, 0.5, 0.8]), backDating: random.pick([0, 0.7, 1]) };
}

const POOL_MOVES = [
  ['C-S', 'C-M'],
  ['C-M', 'C-L'],
] as const;
/** Also in a circle. */
const LINE_MOVES = [
  ['C-S', 'C-M'],
  ['C-S', 'C-M'],
  ['C-S', 'C-L'],
  ['C-M', 'C-L'],
  ['C-M', 'C-S'],
  ['C-L', 'C-S'],
] as const;

interface Drawing {
  readonly random: SeededRandom;
  readonly fleet: Pick<Case, 'accounts' | 'group' | 'lines'>;
  readonly habit: Habit;
}

const drawThreshold = ({ random }: Drawing): Threshold => ({ value: random.between(1, 9), unit: 'KB' });
const drawPercents = (random: SeededRandom) => {
  const all = [50, 75, 90, 100].filter(() => random.next() < 0.5);
  return all.length > 0 ? all : [random.pick([50, 75, 90, 100])];
};
const drawComparator = (random: SeededRandom): Comparator => random.pick(['gt', 'gt', 'gt', 'eq', 'lt']);
const drawSuspension = (random: SeededRandom): Suspension => ({
  duration: random.pick(['30', '30', '60', '90', 'NextBillCycle', 'NextBillCycle']),
  withBilling: random.next() < 0.5,
});

/** Some, at least one, in any order. */
const drawSome = (random: SeededRandom, count: number): number[] => {
  const all = random.shuffle(Array.from({ length: count }, (_, n) => n));
  return all.slice(0, random.between(1, count));
};
const drawFrom = (random: SeededRandom, accounts: readonly number[]): readonly number[] =>
  random.next() < 0.7 ? accounts : random.shuffle(accounts).slice(0, 1);

/** Whether most lines are on plans that share an allowance. */
export const isShared = ({ kinds }: Habit) =>
  kinds.length < KINDS.length && kinds.some((kind) => kind === 'shareMove' || kind === 'poolMove');

/** Mostly one that a line is on, or is going to be. */
function drawPlan({ random, fleet: { lines }, habit }: Drawing): string {
  if (habit === ASKING) return random.pick(['C-S', 'C-S', 'C-S', 'C-M']);
  if (isShared(habit)) return random.pick(['C-S', 'C-M', 'C-M', 'C-M', 'C-L', 'C-L', 'C-P']);
  const { carrierCode } = planOf(random.pick(lines).plan)!;
  return random.next() < 0.85 ? carrierCode : random.pick(['C-P', 'C-Q', 'N', 'C-S', 'C-M']);
}

function drawLineAction({ random, habit }: Drawing, plan: string, accounts: readonly number[]): LineAction {
  if (random.next() >= habit.acting) return { type: 'notify' };
  if (random.next() < 0.5)
    return { type: 'suspend', from: drawFrom(random, accounts), ...drawSuspension(random) };
  return { type: 'move', to: random.pick(['C-Q', 'N', 'C-S', 'C-L'].filter((to) => to !== plan)) };
}

const drawBackDate = ({ random, habit }: Drawing) =>
  random.next() < habit.backDating && { backDate: true as const };

function drawMoves(drawing: Drawing, isUp: boolean): PoolMoves {
  const { random } = drawing;
  const pairs = random.shuffle(POOL_MOVES).slice(0, random.between(1, 2));
  const moves = pairs.map(([small, large]) =>
    isUp ? { from: small, to: large } : { from: large, to: small },
  );
  return { moves, buffer: random.pick([0, 0, 10, 50, 100]), ...drawBackDate(drawing) };
}

function drawShare(drawing: Drawing, kind: Rule['kind']): Rule {
  const { random } = drawing;
  const plans = random.shuffle(['C-S', 'C-M', 'C-L']).slice(0, random.between(1, 3));
  switch (kind) {
    case 'shareNotify':
      return { kind, of: plans.map((plan) => ({ plan, percents: drawPercents(random) })) };
    case 'shareSuspend':
      return {
        kind,
        of: plans.map((plan) => ({ plan, percent: random.pick([1, 50, 99, 100, 130]) })),
        ...drawSuspension(random),
      };
    case 'shareMove': {
      const some = random.shuffle(LINE_MOVES).slice(0, random.between(1, 3));
      // A plan has one target.
      const pairs = [...new Map(some.map((pair) => [pair[0], pair])).values()];
      const of = pairs.map(([from, to]) => ({ from, to, percent: random.pick([50, 100, 101]) }));
      return { kind, of, ...drawBackDate(drawing) };
    }
    case 'poolNotify':
      return { kind, percents: drawPercents(random) };
    default: {
      const [up, down] = random.pick([
        [true, false],
        [false, true],
        [true, true],
      ] as const);
      return {
        kind: 'poolMove',
        ...(up && { above: drawMoves(drawing, true) }),
        ...(down && { below: drawMoves(drawing, false) }),
      };
    }
  }
}

export function drawSends(random: SeededRandom, hasDay: boolean): Sends | undefined {
  if (random.next() < 0.5) return undefined;
  const toPeople = {
    ...(random.next() < 0.7 && { mail: true as const }),
    ...(random.next() < 0.5 && { sms: true as const }),
  };
  const group = Object.keys(toPeople).length > 0 && random.next() < 0.3 && { group: true as const };
  const chance = random.next();
  if (hasDay && chance < 0.3) return { ...toPeople, ...group, daily: true };
  const reminders = {
    count: random.between(1, 3),
    every: random.pick(['Hourly', 'Daily', 'Weekly'] as const),
  };
  return { ...toPeople, ...group, ...(chance > 0.6 && { reminders }) };
}

export function drawRule(drawing: Drawing, kind = drawing.random.pick(drawing.habit.kinds)): Rule {
  const { random, fleet, habit } = drawing;
  const plan = drawPlan(drawing);
  const accounts = drawSome(random, fleet.accounts.length);
  const cycle = random.pick(habit.cycles);
  const compared = { plan, accounts, cmp: drawComparator(random), than: drawThreshold(drawing), cycle };
  switch (kind) {
    case 'line':
      return { kind, ...compared, action: drawLineAction(drawing, plan, accounts) };
    case 'account': {
      const combined = random.next() < 0.5;
      if (random.next() >= habit.acting) return { kind, ...compared, combined };
      const suspend = {
        than: drawThreshold(drawing),
        from: drawFrom(random, accounts),
        ...drawSuspension(random),
      };
      return { kind, ...compared, combined, suspend };
    }
    case 'allowance': {
      const suspend = { from: drawFrom(random, accounts), ...drawSuspension(random) };
      const percents = drawPercents(random);
      return { kind, plan, accounts, percents, ...(random.next() < habit.acting && { suspend }) };
    }
    case 'aging':
      return {
        kind,
        plan,
        accounts,
        cycles: random.between(1, 3),
        action: drawLineAction(drawing, plan, accounts),
      };
    default:
      return drawShare(drawing, kind);
  }
}
