import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../test/support/seeded-random.ts';
import { RecentMap } from './recent-map.ts';

describe('a map of recently used entries', () => {
  const STEPS = 2_000;

  it('never exceeds its limit, and never has a value that was replaced or deleted', () => {
    const random = randomFor('recent map');
    for (const max of [2, 3, 10, 64]) {
      const map = new RecentMap<number, number>(max);
      const known = new Map<number, number>();
      for (let step = 0; step < STEPS; step++) {
        const key = random.between(0, 3 * max);
        const what = random.pick(['set', 'set', 'get', 'delete']);
        if (what === 'delete') {
          map.delete(key);
          known.delete(key);
        } else if (what === 'set') {
          map.set(key, step);
          known.set(key, step);
        } else assert.ok([undefined, known.get(key)].includes(map.get(key)));
        assert.ok(map.size <= max);
        assert.equal(new Map(map).size, map.size);
        for (const [kept, value] of map) assert.equal(value, known.get(kept));
      }
    }
  });

  it('always has the most recently used half', () => {
    const random = randomFor('newest half');
    for (const max of [2, 3, 10, 64]) {
      const map = new RecentMap<number, number>(max);
      /** Slow and obvious: the most recently used key is at the end. */
      let used: number[] = [];
      for (let step = 0; step < STEPS; step++) {
        const key = random.between(0, 3 * max);
        const isSet = random.between(0, 1) === 0;
        if (isSet) map.set(key, step);
        if (isSet || map.get(key) !== undefined) used = [...used.filter((other) => other !== key), key];
        const kept = new Map(map);
        for (const recent of used.slice(-Math.floor(max / 2))) assert.ok(kept.has(recent));
      }
    }
  });

  it('is empty after it was cleared', () => {
    const map = new RecentMap<string, number>(4);
    for (const key of 'abc') map.set(key, 1);
    map.clear();
    assert.deepEqual([...map], []);
    assert.equal(map.get('c'), undefined);
  });
});
