import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PositionSource, type SourceAnswer, SourceRefused, type Target } from '../location.ts';
import { type BudgetedSource, sourcesInOrder } from '../sources-in-order.ts';

const TYPES = ['ABSENT SUBSCRIBER', 'UNKNOWN SUBSCRIBER', 'POSITIONING NOT ALLOWED'] as const;
const IDS = ['a', 'b', 'c'];
const targets = IDS.map((deviceId) => ({ deviceId }) as Target);
const fixBy = (source: number): SourceAnswer => ({
  fix: { latitude: source, longitude: 0, radiusM: 1, at: new Date(0) },
});

/** A source's answer for each device: a fix, a failure or nothing; or the source refuses or is unreachable. */
type Answers = 'refuses' | 'dead' | readonly ('fix' | 'nothing' | (typeof TYPES)[number])[];

const sourceOf = (answers: Answers, n: number): BudgetedSource => ({
  name: `s${n}`,
  batchMax: 10 + n,
  budgetMs: 60_000,
  async locate(requested) {
    if (answers === 'dead') throw new Error(`s${n} is dead`);
    if (answers === 'refuses') throw new SourceRefused(`s${n} refuses`);
    return new Map(
      requested.flatMap(({ deviceId }): [string, SourceAnswer][] => {
        const answer = answers[IDS.indexOf(deviceId)]!;
        if (answer === 'nothing') return [];
        return [[deviceId, answer === 'fix' ? fixBy(n) : { failure: { type: answer } }]];
      }),
    );
  },
});

const locate = (source: PositionSource, timeLimitMs = 60_000) =>
  source.locate(targets, { accuracy: 'coarse', timeLimitMs, signal: new AbortController().signal });

/** A model by the sentences of the README: one device at a time, one source at a time. */
function model(all: readonly Answers[]): Map<string, SourceAnswer> | 'dead' | 'refuses' {
  const result = new Map<string, SourceAnswer>();
  let isReached = false;
  const lost = new Set<string>();
  const done = new Set<string>();
  for (const [n, answers] of all.entries()) {
    if (done.size === IDS.length) break;
    if (answers === 'dead' || answers === 'refuses') {
      lost.add(answers);
      continue;
    }
    for (const [at, deviceId] of IDS.entries()) {
      const answer = answers[at]!;
      if (done.has(deviceId) || answer === 'nothing') continue;
      isReached = true;
      if (answer === 'fix' || answer === 'POSITIONING NOT ALLOWED') done.add(deviceId);
      if (done.has(deviceId) || !result.has(deviceId))
        result.set(deviceId, answer === 'fix' ? fixBy(n) : { failure: { type: answer } });
    }
  }
  if (lost.size === 0) return result;
  if (!isReached) return lost.has('dead') ? 'dead' : 'refuses';
  for (const deviceId of IDS)
    if (!done.has(deviceId)) result.set(deviceId, { failure: { type: 'SYSTEM FAILURE' } });
  return result;
}

describe('several position sources in order', () => {
  it('answer like a slow model, whatever each of them answers', async () => {
    const answer = fc.constantFrom('fix' as const, 'nothing' as const, ...TYPES);
    const answers = fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom('refuses' as const, 'dead' as const) },
      { weight: 4, arbitrary: fc.tuple(answer, answer, answer) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 4 }), async (all) => {
        const expected = model(all);
        const found = locate(sourcesInOrder(all.map(sourceOf), () => {}));
        if (expected === 'dead') await assert.rejects(found, /is dead/);
        else if (expected === 'refuses') await assert.rejects(found, SourceRefused);
        else assert.deepEqual(new Map([...(await found)].toSorted()), new Map([...expected].toSorted()));
      }),
      { numRuns: 500 },
    );
  });

  it('wait for a silent source for its time limit, and then query the next', async () => {
    const silent: BudgetedSource = {
      name: 'silent',
      batchMax: 5,
      budgetMs: 30,
      locate: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    };
    const troubles: string[] = [];
    const both = sourcesInOrder([silent, sourceOf(['fix', 'fix', 'fix'], 1)], (name) => troubles.push(name));
    assert.deepEqual([...(await locate(both)).values()], [fixBy(1), fixBy(1), fixBy(1)]);
    assert.deepEqual([troubles, both.batchMax, both.name], [['silent'], 5, 'silent, s1']);
  });

  it('skip a source for a while after five failures in a row', async () => {
    let asked = 0;
    const dead: BudgetedSource = {
      ...sourceOf('dead', 0),
      locate: async () => {
        asked++;
        throw new Error('dead');
      },
    };
    const both = sourcesInOrder([dead, sourceOf(['fix', 'fix', 'fix'], 1)], () => {});
    for (let n = 0; n < 8; n++) await locate(both);
    assert.equal(asked, 5);
  });
});
