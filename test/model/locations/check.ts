import { without } from '../compare.ts';
import type { Row } from '../outcome.ts';
import { withoutParts } from '../shrink.ts';
import type { Case, Step } from './case.ts';
import { Play } from './driving/play.ts';
import { START, type Stage } from './driving/stage.ts';
import type { Outcome } from './outcome.ts';
import { foretell } from './reference/foretell.ts';

export interface Difference {
  readonly list: string;
  readonly expected: readonly Row[];
  readonly actual: readonly Row[];
}

/** Rows of a step have its number: later differences follow from the first. */
function firstOf(differences: readonly Difference[]): readonly Difference[] {
  const nthOf = ({ nth }: Row) => (typeof nth === 'number' ? nth : Number.POSITIVE_INFINITY);
  const first = Math.min(
    ...differences.flatMap(({ expected, actual }) => [...expected, ...actual].map(nthOf)),
  );
  const ofFirst = (rows: readonly Row[]) => rows.filter((row) => nthOf(row) === first);
  return differences
    .map(({ list, expected, actual }) => ({ list, expected: ofFirst(expected), actual: ofFirst(actual) }))
    .filter(({ expected, actual }) => expected.length + actual.length > 0);
}

/** Plays the case, and returns its first differences from the model. */
export async function check(stage: Stage, drawn: Case): Promise<readonly Difference[]> {
  const names = await stage.prepare(drawn);
  const { steps, outcome } = foretell(drawn, START);
  const play = new Play(stage, names, drawn);
  try {
    const actual = await play.run(steps);
    const differences = (Object.keys(outcome) as (keyof Outcome)[]).map((list) => ({
      list,
      expected: without(outcome[list], actual[list]),
      actual: without(actual[list], outcome[list]),
    }));
    return firstOf(differences);
  } catch (error) {
    return [{ list: 'broken', expected: [], actual: [{ error: String(error) }] }];
  } finally {
    await stage.leave(names);
  }
}

/** A step with fewer lines, or without what happens during it. */
function* simpler(step: Step): Generator<Step> {
  if (step.do === 'work' && step.during !== undefined) yield { do: 'work' };
  if ('lines' in step && step.lines.length > 1)
    for (const lines of withoutParts(step.lines)) if (lines.length > 0) yield { ...step, lines };
}

function* smaller(drawn: Case): Generator<Case> {
  const { steps } = drawn;
  for (const fewer of withoutParts(steps)) yield { ...drawn, steps: fewer };
  for (const [n, step] of steps.entries())
    for (const one of simpler(step)) yield { ...drawn, steps: steps.with(n, one) };
}

const PLAYS_MAX = 60;

/** The smallest case with the same kind of difference that so many plays find. */
export async function shrink(stage: Stage, failing: Case, found: readonly Difference[]) {
  let smallest = { drawn: failing, differences: found };
  const lists = new Set(found.map(({ list }) => list));
  let plays = 0;
  for (let again = true; again && plays < PLAYS_MAX; ) {
    again = false;
    for (const candidate of smaller(smallest.drawn)) {
      if (++plays > PLAYS_MAX) break;
      const differences = await check(stage, candidate);
      if (!differences.some(({ list }) => lists.has(list))) continue;
      smallest = { drawn: candidate, differences };
      again = true;
      break;
    }
  }
  return { ...smallest, plays };
}
