import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ConsentLevel } from '../consent.ts';
import { type LedgerEntry, toIntervals } from './intervals.ts';

const ACTORS = ['a', 'b'] as const;
const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n));

const level = fc.constantFrom<ConsentLevel>(0, 1, 2, 3);
const change = fc.oneof(
  fc.record({ change: fc.constantFrom('level', 'level-all', 'device-level'), level }),
  fc.record({ change: fc.constantFrom('exclude', 'allow'), identifier: fc.constantFrom('x', 'y') }),
  fc.record({ change: fc.constantFrom('exclude-all', 'allow-all') }),
);
/** In the order of writing: several at one time, some before the range and some after it. */
const ledger = fc
  .array(fc.record({ change, step: fc.integer({ min: 0, max: 4 }), actor: fc.constantFrom(...ACTORS) }), {
    maxLength: 30,
  })
  .map((rows) => {
    let n = 0;
    return rows.map((row) => {
      n += row.step;
      return { ...row.change, actor: row.actor, at: minute(n) } as LedgerEntry;
    });
  });
const range = fc
  .tuple(fc.integer({ min: -5, max: 80 }), fc.integer({ min: 0, max: 80 }))
  .map(([from, length]) => [minute(from), minute(from + length)] as const);

/** What is allowed at one time, by replaying the whole ledger up to it. */
function replay(entries: readonly LedgerEntry[], at: Date) {
  let [account, own]: (ConsentLevel | undefined)[] = [];
  let all = false;
  const listed = new Set<string>();
  for (const entry of entries.filter((one) => one.at <= at)) {
    if (entry.change === 'level' || entry.change === 'level-all') account = entry.level;
    if (entry.change === 'level-all') own = undefined;
    if (entry.change === 'device-level') own = entry.level;
    if (entry.change === 'exclude') listed.add(entry.identifier);
    if (entry.change === 'allow') listed.delete(entry.identifier);
    if (entry.change === 'exclude-all') all = true;
    if (entry.change === 'allow-all') all = false;
  }
  const held = all || listed.size > 0 ? undefined : (own ?? account);
  return { coarse: held === 0 || held === 2, precise: held === 0 || held === 1 };
}

describe('intervals of consent', () => {
  it('cover the range without gaps or overlaps', () => {
    fc.assert(
      fc.property(ledger, range, (entries, [from, to]) => {
        const intervals = toIntervals(entries, from, to);
        if (from.getTime() === to.getTime()) return void assert.deepEqual(intervals, []);
        assert.deepEqual(
          [from, ...intervals.map((one) => one.to)],
          [...intervals.map((one) => one.from), to],
        );
        assert.ok(intervals.every((one) => one.from < one.to));
      }),
    );
  });

  it('equal a replay of the whole ledger at every time', () => {
    fc.assert(
      fc.property(ledger, range, (entries, [from, to]) => {
        for (const { from: first, to: end, coarse, precise } of toIntervals(entries, from, to)) {
          for (let at = first; at < end; at = new Date(at.getTime() + 30_000))
            assert.deepEqual({ coarse, precise }, replay(entries, at));
        }
      }),
    );
  });

  it('differ from their neighbours, and are based on an earlier ledger entry', () => {
    fc.assert(
      fc.property(ledger, range, (entries, [from, to]) => {
        const intervals = toIntervals(entries, from, to);
        for (const [i, { since, actor, basis, level: held, from: begin }] of intervals.entries()) {
          const { from: _, to: __, ...previous } = intervals[i - 1] ?? { from, to };
          const { from: ___, to: ____, ...ground } = intervals[i]!;
          assert.notDeepEqual(ground, previous);
          if (basis === 'none') assert.deepEqual([since, actor, held], [null, null, null]);
          else
            assert.ok(
              entries.some((one) => one.at.getTime() === since?.getTime() && one.actor === actor) &&
                since! <= begin,
            );
        }
      }),
    );
  });
});
