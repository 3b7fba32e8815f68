import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareAnswers } from '../overview/share-answers.ts';

/** Answers are numbered; time passes only by `pass`. */
function scene() {
  let nowMs = 0;
  let answers = 0;
  const share = shareAnswers<number>({ forMs: 10_000, keysMax: 2 }, () => new Date(nowMs));
  return {
    share,
    find: async () => ++answers,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('answers that are shared', () => {
  it('are made once for all who ask for the same at a time, and anew after a while', async () => {
    const { share, find, pass } = scene();
    assert.deepEqual(await Promise.all([share('a', find), share('a', find), share('b', find)]), [1, 1, 2]);
    pass(9_999);
    assert.equal(await share('a', find), 1);
    pass(1);
    assert.equal(await share('a', find), 3);
  });

  it('are made anew by the next when they fail', async () => {
    const { share, find } = scene();
    await assert.rejects(share('a', () => Promise.reject(new Error('lost'))));
    assert.equal(await share('a', find), 1);
  });

  it('are so many at most: the oldest is forgotten', async () => {
    const { share, find } = scene();
    for (const key of ['a', 'b', 'c']) await share(key, find);
    assert.deepEqual([await share('c', find), await share('a', find)], [3, 4]);
  });
});
