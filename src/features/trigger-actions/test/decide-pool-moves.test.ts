import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decidePoolMoves, neededBytes, type Pool, type PoolLine } from '../decide-pool-moves.ts';

const line = (deviceId: string, usedBytes: number, allowanceBytes: number, newAllowanceBytes: number) => ({
  deviceId,
  usedBytes,
  allowanceBytes,
  newAllowanceBytes,
});
const idsOf = (lines: readonly PoolLine[]) => lines.map(({ deviceId }) => deviceId);
const allowedAfter = ({ allowanceBytes }: Pool, moved: readonly PoolLine[]) =>
  moved.reduce((sum, each) => sum + each.newAllowanceBytes - each.allowanceBytes, allowanceBytes);

const Lines = fc
  .array(
    fc.record({
      used: fc.integer({ min: 0, max: 50 }),
      from: fc.integer({ min: 0, max: 20 }),
      to: fc.integer({ min: 0, max: 20 }),
    }),
    { maxLength: 30 },
  )
  .map((all) => all.map(({ used, from, to }, n) => line(String(n).padStart(3, '0'), used, from, to)));
const Percent = fc.integer({ min: 0, max: 100 });
const poolOf = (lines: readonly PoolLine[], bufferPercent: number): Pool => ({
  usedBytes: lines.reduce((sum, each) => sum + each.usedBytes, 0),
  allowanceBytes: lines.reduce((sum, each) => sum + each.allowanceBytes, 0),
  bufferPercent,
});

// proves price-plan-triggers/pool-moves
describe('moves of a pool that is used up', () => {
  it('begin with the largest overage and end when the buffer is restored', () => {
    const lines = [line('a', 5, 1, 4), line('b', 9, 1, 4), line('c', 12, 10, 13), line('d', 0, 1, 4)];
    const pool = { usedBytes: 26, allowanceBytes: 13, bufferPercent: 0 };
    assert.deepEqual(idsOf(decidePoolMoves('above', pool, lines)), ['b', 'a', 'c', 'd']);
    assert.deepEqual(idsOf(decidePoolMoves('above', { ...pool, usedBytes: 18 }, lines)), ['b', 'a']);
  });

  it('restore the buffer if possible, with only the moves that are needed and that help', () =>
    fc.assert(
      fc.property(Lines, Percent, (lines, percent) => {
        const pool = poolOf(lines, percent);
        const moved = decidePoolMoves('above', pool, lines);
        const helping = lines.filter((each) => each.newAllowanceBytes > each.allowanceBytes);
        assert.equal(new Set(idsOf(moved)).size, moved.length);
        assert.ok(moved.every((each) => helping.includes(each)));
        const needed = neededBytes(pool);
        if (allowedAfter(pool, helping) >= needed) assert.ok(allowedAfter(pool, moved) >= needed);
        else assert.equal(moved.length, helping.length);
        if (moved.length > 0) assert.ok(allowedAfter(pool, moved.slice(0, -1)) < needed);
      }),
    ));
});

describe('moves of a pool that is not used up', () => {
  it('begin with the smallest usage and end before the buffer is touched', () => {
    const lines = [line('a', 3, 10, 5), line('b', 1, 10, 5), line('c', 2, 10, 5)];
    const pool = { usedBytes: 10, allowanceBytes: 30, bufferPercent: 50 };
    assert.deepEqual(idsOf(decidePoolMoves('below', pool, lines)), ['b', 'c', 'a']);
    assert.deepEqual(idsOf(decidePoolMoves('below', { ...pool, bufferPercent: 60 }, lines)), ['b', 'c']);
    assert.deepEqual(decidePoolMoves('below', { ...pool, usedBytes: 30 }, lines), []);
  });

  it('never reduce the buffer, and leave no line that could still be moved', () =>
    fc.assert(
      fc.property(Lines, Percent, (lines, percent) => {
        const pool = poolOf(lines, percent);
        const moved = decidePoolMoves('below', pool, lines);
        if (moved.length > 0) assert.ok(allowedAfter(pool, moved) >= neededBytes(pool));
        const next = lines
          .filter((each) => each.newAllowanceBytes < each.allowanceBytes && !moved.includes(each))
          .sort((a, b) => a.usedBytes - b.usedBytes || (a.deviceId < b.deviceId ? -1 : 1))[0];
        if (next !== undefined) assert.ok(allowedAfter(pool, [...moved, next]) < neededBytes(pool));
      }),
    ));
});
