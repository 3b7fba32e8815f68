import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, CYCLES, cycleOf } from '../../../kernel/bill-cycle.ts';
import { cycleFinder } from '../usage-cycle.ts';

const ZONES = ['UTC', 'America/Chicago', 'Asia/Kolkata', 'Pacific/Apia'];
const NOW_MS = Date.UTC(2026, 0, 28);

const accounts = fc.array(
  fc.record({ timeZone: fc.constantFrom(...ZONES), billCycleDay: fc.integer({ min: 1, max: 31 }) }),
  { minLength: 1, maxLength: 4 },
);
const asked = fc.array(
  fc.record({
    account: fc.nat(3),
    day: fc.integer({ min: -80, max: 10 }).map((days) => addDays('2026-01-28', days)),
    cycle: fc.constantFrom(...CYCLES),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('the cycle of a day', () => {
  it('is one object for all its days and a different one for each other cycle, in any order of queries', () => {
    fc.assert(
      fc.property(accounts, asked, (some, questions) => {
        const names = some.map((_, n) => `account ${n}`);
        const known = new Map(
          some.map((account, n) => [
            names[n]!,
            { ecpdId: '1', accountName: names[n]!, startsOn: null, boundaries: null, ...account },
          ]),
        );
        const find = cycleFinder(known, NOW_MS);
        const found = new Map<string, object>();
        for (const { account: nth, day, cycle } of questions) {
          const account = some[nth % some.length]!;
          const span = cycleOf(cycle, day, account.billCycleDay);
          const answer = find(names[nth % some.length]!, day, cycle);
          assert.deepEqual([answer.cycle, answer.from, answer.to], [cycle, span.from, span.to]);
          const key = `${nth % some.length} ${cycle} ${span.from}`;
          assert.equal(answer, found.get(key) ?? answer);
          found.set(key, answer);
        }
        assert.equal(new Set(found.values()).size, found.size);
      }),
      { numRuns: 300 },
    );
  });
});
