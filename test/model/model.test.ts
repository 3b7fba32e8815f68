import { describe, it, type TestContext } from 'node:test';
import type { Case } from './case.ts';
import { CASES } from './cases.ts';
import { check, type Verdict } from './check.ts';
import { drawCase } from './drawing/draw-case.ts';
import { openStage } from './driving/stage.ts';
import { modelMode } from './mode.ts';
import { caseText, differencesText } from './print.ts';
import { shrink } from './shrink.ts';

/** One document contains the fleets of this many cases. */
const TOGETHER = 20;
/** Limit of failures to shrink: each takes minutes, and one fault shows in many cases. */
const FAILURES_MAX = 3;

const { seeds, isLong, commandFor } = modelMode;
const stage = await openStage();

async function tell(drawn: Case, found: Verdict): Promise<never> {
  if (isLong) process.stderr.write(`${drawn.name} differs and is made smaller\n`);
  const isSmall = CASES.includes(drawn);
  const smallest = isSmall ? { drawn, ...found, plays: 0 } : await shrink(stage, drawn, found);
  throw new Error(
    [
      `${drawn.name} differs from the model; the smallest case that was found to, by ${smallest.plays} plays:`,
      caseText(smallest.drawn),
      'Differences:',
      differencesText(smallest.differences),
      `The same again: ${commandFor(drawn.name)}`,
      `As data: ${JSON.stringify(smallest.drawn)}`,
    ].join('\n'),
  );
}

const TOLD_EVERY = 10;

/** Shows progress during a run of minutes. */
function openProgress(total: number) {
  let [done, firings] = [0, 0];
  const startedAt = performance.now();
  return (found: Verdict) => {
    done++;
    firings += found.firings;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    if (isLong && done % TOLD_EVERY === 0)
      process.stderr.write(`${done} of ${total} cases, ${firings} firings, ${seconds} s\n`);
  };
}

/** Each case is a separate test. */
async function checkAll(t: TestContext, cases: readonly Case[]): Promise<void> {
  const progress = openProgress(cases.length);
  let failures = 0;
  for (let from = 0; from < cases.length && failures < FAILURES_MAX; from += TOGETHER) {
    const some = cases.slice(from, from + TOGETHER);
    const names = await stage.prepare(some);
    for (const [n, drawn] of some.entries()) {
      if (failures >= FAILURES_MAX) break;
      await t.test(drawn.name, async () => {
        const found = await check(stage, drawn, names[n]!);
        progress(found);
        if (found.differences.length === 0) return;
        if (!CASES.includes(drawn)) failures++;
        await tell(drawn, found);
      });
    }
  }
}

describe('the reference model', () => {
  it('agrees with the service for fleets that once showed a fault', (t) => checkAll(t, CASES));

  it('agrees with the service for random fleets, feeds and changes', (t) => checkAll(t, seeds.map(drawCase)));
});
