import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { calendarOf, changeBoundaries } from '../../../kernel/calendar.ts';
import { agedSince, startsUntil, wholeCycles } from './age.ts';

const accountIn = (timeZone: string, billCycleDay: number) => ({ timeZone, billCycleDay, boundaries: null });
const startsOf = (account: Parameters<typeof calendarOf>[0], opensAt: Date) =>
  startsUntil({ cycle: 'Monthly', cycles: calendarOf(account), opensAt });

describe('the age of a line on its plan', () => {
  const closed = startsOf(accountIn('UTC', 31), new Date('2026-02-28T00:00:00Z'));
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
    const random = randomFor('ages');
    for (let n = 0; n < 400; n++) {
      const zone = random.pick(['UTC', 'America/Chicago', 'Pacific/Apia', 'Europe/Berlin', 'Asia/Kolkata']);
      const account = accountIn(zone, random.between(1, 31));
      const other = { timeZone: random.pick([zone, 'UTC']), billCycleDay: random.pick([1, 15, 31]) };
      const changed = {
        ...other,
        boundaries: changeBoundaries(account, other, Date.UTC(2025, random.between(1, 24), 20)),
      };
      const opensAt = new Date(calendarOf(changed).cycleAt('Monthly', Date.UTC(2026, 2, 15)).fromMs);
      const closed = startsOf(changed, opensAt);
      const edge = agedSince(closed, random.between(1, 40)).getTime();
      const since = new Date(edge + random.pick([-1, 0, 1, random.between(-40, 40) * 86_400_000]));
      const cycles = wholeCycles(closed, since);
      const what = `${zone} ${account.billCycleDay} ${opensAt.toISOString()} ${since.toISOString()}`;
      if (cycles > 0) assert.ok(since <= agedSince(closed, cycles), what);
      assert.ok(since > agedSince(closed, cycles + 1), what);
    }
  });
});
