import type { Case } from './case.ts';
import { type Difference, differencesOf } from './compare.ts';
import { compareBacktests } from './driving/backtests.ts';
import type { Names } from './driving/names.ts';
import { play } from './driving/play.ts';
import type { Stage } from './driving/stage.ts';
import { foretellAll } from './reference/foretell.ts';

export interface Verdict {
  /** Empty if everything happened as expected. */
  readonly differences: readonly Difference[];
  readonly firings: number;
}

/** Plays the case, and returns the differences from the model. */
export async function check(stage: Stage, drawn: Case, names: Names): Promise<Verdict> {
  const foretold = foretellAll(drawn);
  const firings = foretold[0]!.outcome.firings.length;
  const played = await play(stage, drawn, names).catch((error: unknown) => String(error));
  if (typeof played === 'string') {
    await stage.leave(drawn, names);
    return { firings, differences: [{ list: 'feeds', expected: [], actual: [{ broken: played }] }] };
  }
  // Concurrent feeds were processed in one order or the other.
  const [nearest] = foretold
    .map(({ state, outcome }) => ({ state, differences: differencesOf(outcome, played.outcome) }))
    .toSorted((a, b) => a.differences.length - b.differences.length);
  const backtests = nearest!.differences.length === 0 ? await compareBacktests(played, nearest!.state) : [];
  await stage.leave(drawn, names);
  return { firings, differences: [...nearest!.differences, ...backtests] };
}
