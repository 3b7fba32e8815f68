import type { Case } from '../case.ts';
import { iso, nameOf } from '../outcome.ts';
import { type Foretold, foretell } from '../reference/foretell.ts';
import { ownerAt } from '../reference/state.ts';

const FIRINGS_WANTED = 4;

/** Usage moved by a change of plan has reached a threshold. */
const firesByPlanChange = ({ outcome }: Foretold) =>
  outcome.firings.some(({ cause }) => cause === 'planChange');

const countedBy = ({ state, outcome }: Foretold) =>
  outcome.firings.flatMap(({ record, at }) => {
    const entry = state.ledger.find(({ id }) => id === record);
    return entry === undefined ? [] : { entry, line: state.lines[entry.line]!, at: Date.parse(String(at)) };
  });

/** A record has reached a threshold in an account that the line had left when it arrived. */
const firesAfterLeaving = (foretold: Foretold) =>
  countedBy(foretold).some(({ entry, line, at }) => ownerAt(line, at) !== entry.account);

/** A record has reached a threshold in an account that the line moved to. */
const firesAfterComing = (foretold: Foretold) =>
  countedBy(foretold).some(({ entry, line }) => line.stays.slice(1).some(({ since }) => since <= entry.at));

/** A change of plan that begins in the past begins with the line's stay in the account. */
const changesSinceComing = ({ state, outcome }: Foretold) =>
  outcome.carrier.some(({ line, effective, at }) => {
    const stays = state.lines.find(({ n }) => nameOf.line(n) === line)!.stays.slice(1);
    return effective !== at && stays.some(({ since }) => effective === iso(since));
  });

/** A level is reached in a cycle that began after a change of boundaries. */
const firesAfterShift = ({ state, outcome }: Foretold) => {
  const shift = state.case.steps.find((step) => step.do === 'settings' || step.do === 'reorder');
  return shift !== undefined && outcome.firings.some(({ from }) => Date.parse(String(from)) > shift.at);
};

/** An action that waited for approval was approved, or dropped with its trigger. */
const isDecided = ({ outcome }: Foretold) => outcome.decisions.some(({ isTaken }) => isTaken);
const isDropped = ({ outcome }: Foretold) => outcome.carrier.some(({ reason }) => reason === 'dropped');

/** Rare events are required for some numbers. */
const WISHES: readonly (readonly [divisor: number, rest: number, isFulfilled: (of: Foretold) => boolean])[] =
  [
    [3, 0, firesByPlanChange],
    [3, 1, firesAfterLeaving],
    [6, 2, firesAfterComing],
    [6, 5, changesSinceComing],
    [10, 3, isDecided],
    [10, 4, isDropped],
    [4, 0, firesAfterShift],
    [4, 1, firesAfterShift],
  ];

/** The purpose of a case. */
export interface Bent {
  /** Lines change their account or are deleted. */
  readonly turns: boolean;
  /** Actions affect many lines. */
  readonly asks: boolean;
  /** Accounts change their zone or bill day. */
  readonly shifts: boolean;
  readonly backDates: boolean;
}
const asksFor = (seed: number) => [3, 4].includes(seed % 10);
export const bentOf = (seed: number): Bent => ({
  turns: seed % 3 !== 0 && !asksFor(seed),
  asks: asksFor(seed),
  shifts: seed % 4 < 2,
  backDates: seed % 6 === 5,
});

/** The number of unmet wishes for a number. Every case must have enough firings. */
export function missedBy(drawn: Case, seed: number): number {
  const foretold = foretell(drawn);
  const missed = WISHES.filter(([divisor, rest, is]) => seed % divisor === rest && !is(foretold)).length;
  return missed + (foretold.outcome.firings.length < FIRINGS_WANTED ? 1 : 0);
}
