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

/** What one source says of each device: found, a failure, nothing; or that it cannot, or is not there. */
type Said = 'refuses' | 'dead' | readonly ('fix' | 'nothing' | (typeof TYPES)[number])[];

const sourceOf = (said: Said, n: number): BudgetedSource => ({
  name: `s${n}`,
  batchMax: 10 + n,
  budgetMs: 60_000,
  async locate(asked) {
    if (said === 'dead') throw new Error(`s${n} is dead`);
    if (said === 'refuses') throw new SourceRefused(`s${n} refuses`);
    return new Map(
      asked.flatMap(({ deviceId }): [string, SourceAnswer][] => {
        const word = said[IDS.indexOf(deviceId)]!;
        if (word === 'nothing') return [];
        return [[deviceId, word === 'fix' ? fixBy(n) : { failure: { type: word } }]];
      }),
    );
  },
});

const locate = (source: PositionSource, timeLimitMs = 60_000) =>
  source.locate(targets, { accuracy: 'coarse', timeLimitMs, signal: new AbortController().signal });

/** One device after the other, one source after the other, by the sentences of the README. */
function model(all: readonly Said[]): Map<string, SourceAnswer> | 'dead' | 'refuses' {
  const result = new Map<string, SourceAnswer>();
  let heard = false;
  const lost = new Set<string>();
  const done = new Set<string>();
  for (const [n, said] of all.entries()) {
    if (done.size === IDS.length) break;
    if (said === 'dead' || said === 'refuses') {
      lost.add(said);
      continue;
    }
    for (const [at, deviceId] of IDS.entries()) {
      const word = said[at]!;
      if (done.has(deviceId) || word === 'nothing') continue;
      heard = true;
      if (word === 'fix' || word === 'POSITIONING NOT ALLOWED') done.add(deviceId);
      if (done.has(deviceId) || !result.has(deviceId))
        result.set(deviceId, word === 'fix' ? fixBy(n) : { failure: { type: word } });
    }
  }
  if (lost.size === 0) return result;
  if (!heard) return lost.has('dead') ? 'dead' : 'refuses';
  for (const deviceId of IDS)
    if (!done.has(deviceId)) result.set(deviceId, { failure: { type: 'SYSTEM FAILURE' } });
  return result;
}

describe('several position sources in order', () => {
  it('answer as a slow model does, whatever each of them says', async () => {
    const word = fc.constantFrom('fix' as const, 'nothing' as const, ...TYPES);
    const said = fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom('refuses' as const, 'dead' as const) },
      { weight: 4, arbitrary: fc.tuple(word, word, word) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 4 }), async (all) => {
        const expected = model(all);
        const found = locate(sourcesInOrder(all.map(sourceOf), () => {}));
        if (expected === 'dead') await assert.rejects(found, /is dead/);
        else if (expected === 'refuses') await assert.rejects(found, SourceRefused);
        else assert.deepEqual(new Map([...(await found)].toSorted()), new Map([...expected].toSorted()));
      }),
      { numRuns: 500 },
    );
  });

  it('leave the time that a silent one was given, and no more, before the next is asked', async () => {
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

  it('leave out for a while who failed five times in a row', async () => {
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
