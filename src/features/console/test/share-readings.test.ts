import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareReadings } from '../overview/share-readings.ts';

/** Readings are numbered; time passes only when told. */
function scene() {
  let nowMs = 0;
  let readings = 0;
  const share = shareReadings<number>({ forMs: 10_000, keysMax: 2 }, () => new Date(nowMs));
  return {
    share,
    read: async () => ++readings,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('readings that are shared', () => {
  it('are made once for all who ask for the same at a time, and anew after a while', async () => {
    const { share, read, pass } = scene();
    assert.deepEqual(await Promise.all([share('a', read), share('a', read), share('b', read)]), [1, 1, 2]);
    pass(9_999);
    assert.equal(await share('a', read), 1);
    pass(1);
    assert.equal(await share('a', read), 3);
  });

  it('are made anew by the next when they fail', async () => {
    const { share, read } = scene();
    await assert.rejects(share('a', () => Promise.reject(new Error('lost'))));
    assert.equal(await share('a', read), 1);
  });

  it('are so many at most: the oldest is forgotten', async () => {
    const { share, read } = scene();
    for (const key of ['a', 'b', 'c']) await share(key, read);
    assert.deepEqual([await share('c', read), await share('a', read)], [3, 4]);
  });
});
