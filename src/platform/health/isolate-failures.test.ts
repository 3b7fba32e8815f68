import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHealth, unreportedLoop } from './health.ts';
import { forEachIsolated, forEachSourceIsolated } from './isolate-failures.ts';

const work = async (n: number) => {
  if (n < 0) throw new Error(`no ${n}`);
  return n;
};

describe('working on isolated items', () => {
  it('continues after a failed item, reports it, and adds up the others', async () => {
    const errors: unknown[] = [];
    assert.equal(await forEachIsolated([1, -2, 3], work, (error) => errors.push(error), unreportedLoop), 4);
    assert.deepEqual(errors, [new Error('no -2')]);
  });

  it('fails if none succeeds, and reports each failure once', async () => {
    const errors: unknown[] = [];
    await assert.rejects(
      forEachIsolated([-1, -2], work, (error) => errors.push(error), unreportedLoop),
      /no -1/,
    );
    assert.deepEqual(errors, [new Error('no -2')]);
  });

  it('succeeds if there is nothing to do', async () => {
    assert.equal(await forEachIsolated([], work, (error) => assert.fail(String(error)), unreportedLoop), 0);
  });

  it('keeps its loop from being silent, however long all items take together', async () => {
    let nowMs = 0;
    const health = createHealth(() => nowMs);
    const loop = health.loop('busy');
    loop.begin();
    const slowWork = async (n: number) => {
      assert.deepEqual(health.failing(), []);
      nowMs += 4 * 60_000;
      return work(n);
    };
    assert.equal(await forEachIsolated([1, 2, 3], slowWork, (error) => assert.fail(String(error)), loop), 6);
    assert.deepEqual(health.failing(), []);
  });

  it('leaves its loop silent while every item fails', async () => {
    let nowMs = 0;
    const health = createHealth(() => nowMs);
    const loop = health.loop('stuck');
    loop.begin();
    const seen: number[] = [];
    const slowWork = async (n: number) => {
      seen.push(health.failing().length);
      nowMs += 4 * 60_000;
      return work(n);
    };
    await assert.rejects(
      forEachIsolated([-1, -2, -3], slowWork, () => {}, loop),
      /no -1/,
    );
    assert.deepEqual(seen, [0, 0, 1]);
  });
});

describe('working on isolated sources', () => {
  const find = async (source: readonly number[] | undefined) => {
    if (source === undefined) throw new Error('no query');
    return source;
  };
  const attempt = async (...sources: (readonly number[] | undefined)[]) => {
    const errors: string[] = [];
    const onError = (error: unknown) => void errors.push((error as Error).message);
    const answer = await forEachSourceIsolated(sources, find, work, onError, unreportedLoop).catch(
      (error: Error) => error.message,
    );
    return [answer, errors];
  };

  it('continues after a failed query of any source', async () => {
    assert.deepEqual(await attempt(undefined, [1, 2]), [3, ['no query']]);
    assert.deepEqual(await attempt([1, 2], undefined), [3, ['no query']]);
  });

  it('fails if nothing succeeds: a source without work does not make up for a failed one', async () => {
    assert.deepEqual(await attempt(undefined, []), ['no query', []]);
    assert.deepEqual(await attempt([], [-1, -2]), ['no -1', ['no -2']]);
    assert.deepEqual(await attempt([], []), [0, []]);
  });
});
