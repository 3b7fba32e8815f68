import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openRandom } from '../../../../test/support/seeded-random.ts';
import { cycleOf } from '../../../kernel/bill-cycle.ts';
import { agedSince, wholeCycles } from './age.ts';

const accountIn = (timeZone: string, billCycleDay: number) => ({ timeZone, billCycleDay });

describe('the age of a line on its plan', () => {
  const closed = { from: '2026-02-28', account: accountIn('UTC', 31) };
  for (const [since, cycles] of [
    ['2026-02-28T00:00:00.001Z', 0],
    ['2026-02-28T00:00:00Z', 1],
    ['2026-01-31T00:00:00.001Z', 1],
    ['2026-01-31T00:00:00Z', 2],
    ['2025-02-28T00:00:00Z', 13],
    ['2020-01-01T00:00:00Z', 74],
  ] as const)
    it(`is ${cycles} whole bill cycles since ${since}`, () =>
      assert.equal(wholeCycles(closed, new Date(since)), cycles));

  it('is the highest age for which a trigger would have fired, in any zone and after a change of bill-cycle day', () => {
    const random = openRandom('ages');
    for (let n = 0; n < 2_000; n++) {
      const zone = random.pick(['UTC', 'America/Chicago', 'Pacific/Apia', 'Europe/Berlin', 'Asia/Kolkata']);
      const account = accountIn(zone, random.between(1, 31));
      const { from } = cycleOf('Monthly', '2026-03-15', random.pick([account.billCycleDay, 1, 15, 31]));
      const closed = { from, account };
      const edge = agedSince(closed, random.between(1, 40)).getTime();
      const since = new Date(edge + random.pick([-1, 0, 1, random.between(-40, 40) * 86_400_000]));
      const cycles = wholeCycles(closed, since);
      const what = `${zone} ${account.billCycleDay} ${from} ${since.toISOString()}`;
      if (cycles > 0) assert.ok(since <= agedSince(closed, cycles), what);
      assert.ok(since > agedSince(closed, cycles + 1), what);
    }
  });
});
