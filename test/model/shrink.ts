import type { Case, Step } from './case.ts';
import { check, type Verdict } from './check.ts';
import type { Difference } from './compare.ts';
import type { Names } from './driving/names.ts';
import type { Stage } from './driving/stage.ts';
import { undecidedAt } from './reference/foretell.ts';

/** Each try is a whole play. */
const PLAYS_MAX = 120;
/** One document contains this many fleets. */
const PREPARED = 15;

const withSteps = (drawn: Case, steps: readonly Step[]): Case => ({ ...drawn, steps });

/** Removes large parts first, then smaller ones. */
export function* withoutParts<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < list.length; from += size) yield list.toSpliced(from, size);
}

/** All slightly smaller cases. */
function* smaller(drawn: Case): Generator<Case> {
  const { steps } = drawn;
  for (const fewer of withoutParts(steps)) yield withSteps(drawn, fewer);
  for (const [n, step] of steps.entries()) {
    if (step.do === 'feed' && step.records.length > 1)
      for (const records of withoutParts(step.records))
        if (records.length > 0) yield withSteps(drawn, steps.with(n, { ...step, records }));
    if (step.do === 'feeds')
      yield withSteps(drawn, steps.with(n, { do: 'feed', at: step.at, records: step.feeds.flat() }));
  }
  const listeners = drawn.accounts.flatMap(({ listens }) => listens);
  if (listeners.length > 0)
    yield { ...drawn, accounts: drawn.accounts.map((account) => ({ ...account, listens: [] })) };
}

/** Only the lines up to the last one with an event. */
function withoutUnused(drawn: Case): Case {
  const named = drawn.steps.flatMap((step) => {
    if (step.do === 'feed') return step.records.map(({ line }) => line);
    if (step.do === 'feeds') return step.feeds.flat().map(({ line }) => line);
    return 'line' in step ? step.line : [];
  });
  return { ...drawn, lines: drawn.lines.slice(0, Math.max(0, ...named) + 1) };
}

export interface Smallest {
  readonly drawn: Case;
  readonly differences: readonly Difference[];
  readonly plays: number;
}

/** The smallest failing case that this many plays find. */
export async function shrink(stage: Stage, failing: Case, { differences }: Verdict): Promise<Smallest> {
  let smallest: Smallest = { drawn: failing, differences, plays: 0 };
  let prepared: Names[] = [];
  /** The accounts of the prepared fleets, with their listeners. */
  let { accounts } = failing;
  let plays = 0;
  const lists = new Set(differences.map(({ list }) => list));
  /** Whether it fails with the same kind of difference, so that shrinking stays with one fault. */
  const stillFails = async (candidate: Case): Promise<boolean> => {
    if (plays >= PLAYS_MAX || undecidedAt(candidate) !== undefined) return false;
    plays++;
    if (prepared.length === 0 || candidate.accounts !== accounts)
      prepared = [...(await stage.prepare(Array.from({ length: PREPARED }, () => candidate)))];
    accounts = candidate.accounts;
    const found = await check(stage, candidate, prepared.pop()!);
    if (!found.differences.some(({ list }) => lists.has(list))) return false;
    smallest = { drawn: candidate, differences: found.differences, plays };
    return true;
  };
  for (let again = true; again && plays < PLAYS_MAX; ) {
    again = false;
    for (const candidate of smaller(smallest.drawn))
      if (await stillFails(candidate)) {
        again = true;
        break;
      }
  }
  const trimmed = withoutUnused(smallest.drawn);
  prepared = [];
  if (trimmed.lines.length < smallest.drawn.lines.length && undecidedAt(trimmed) === undefined) {
    const [names] = await stage.prepare([trimmed]);
    const found = await check(stage, trimmed, names!);
    if (found.differences.some(({ list }) => lists.has(list)))
      smallest = { drawn: trimmed, differences: found.differences, plays };
  }
  return { ...smallest, plays };
}
