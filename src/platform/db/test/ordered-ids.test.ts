import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trueChance } from '../../chance/chance.ts';
import { makeOrderedIds } from '../ordered-ids.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const at = new Date('2026-01-05T00:00:00.123Z');

describe('ordered ids', () => {
  it('are UUIDs of version 7 that contain their time', () => {
    for (const id of makeOrderedIds(trueChance, at, 100)) {
      assert.match(id, VERSION_7);
      assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), at.getTime());
    }
  });

  it('sort in the order of their batch, and after those of an earlier millisecond', () => {
    const ids = [
      ...makeOrderedIds(trueChance, at, 5_000),
      ...makeOrderedIds(trueChance, new Date(at.getTime() + 1), 5_000),
    ];
    assert.deepEqual([...ids].sort(), ids);
  });

  it('of two batches in one millisecond do not overlap', () => {
    const ids = Array.from({ length: 20 }, () => makeOrderedIds(trueChance, at, 5_000)).flat();
    assert.equal(new Set(ids).size, ids.length);
  });
});
