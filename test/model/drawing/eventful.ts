import type { Case } from '../case.ts';
import { type Foretold, foretell } from '../reference/foretell.ts';
import { ownerAt } from '../reference/state.ts';

const FIRINGS_WANTED = 4;

/** Usage that a change of plan has moved has reached something. */
const firesByPlanChange = ({ outcome }: Foretold) =>
  outcome.firings.some(({ cause }) => cause === 'planChange');

const countedBy = ({ state, outcome }: Foretold) =>
  outcome.firings.flatMap(({ record, at }) => {
    const entry = state.ledger.find(({ id }) => id === record);
    return entry === undefined ? [] : { entry, line: state.lines[entry.line]!, at: Date.parse(String(at)) };
  });

/** A record has reached something in an account that the line had left when it came. */
const firesAfterLeaving = (foretold: Foretold) =>
  countedBy(foretold).some(({ entry, line, at }) => ownerAt(line, at) !== entry.account);

/** A record has reached something in an account that the line came to. */
const firesAfterComing = (foretold: Foretold) =>
  countedBy(foretold).some(({ entry, line }) => line.stays.slice(1).some(({ since }) => since <= entry.at));

/** What is rare by itself is wanted of some numbers. */
const WISHES: readonly (readonly [divisor: number, rest: number, isFulfilled: (of: Foretold) => boolean])[] =
  [
    [2, 1, firesByPlanChange],
    [3, 1, firesAfterLeaving],
    [3, 2, firesAfterComing],
  ];

/** In two of three cases lines change their account or are deleted. */
export const hasTurns = (seed: number) => seed % 3 !== 0;

/** How many of the wishes for a number the case leaves open; enough must fire in any case. */
export function missedBy(drawn: Case, seed: number): number {
  const foretold = foretell(drawn);
  const missed = WISHES.filter(([divisor, rest, is]) => seed % divisor === rest && !is(foretold)).length;
  return missed + (foretold.outcome.firings.length < FIRINGS_WANTED ? 1 : 0);
}
