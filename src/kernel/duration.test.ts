import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDuration, parseDuration } from './duration.ts';

const after = (from: string, text: string) => addDuration(new Date(from), parseDuration(text)!).toISOString();

describe('durations', () => {
  it('move by minutes, days, weeks and their sums', () => {
    assert.equal(after('2026-01-31T00:00:00Z', 'PT5M'), '2026-01-31T00:05:00.000Z');
    assert.equal(after('2026-01-31T00:00:00Z', 'P1DT2H3S'), '2026-02-01T02:00:03.000Z');
    assert.equal(after('2026-01-31T00:00:00Z', 'p2w'), '2026-02-14T00:00:00.000Z');
  });

  it('end with the month if it is shorter', () => {
    assert.equal(after('2026-01-31T12:00:00Z', 'P1M'), '2026-02-28T12:00:00.000Z');
    assert.equal(after('2024-01-31T12:00:00Z', 'P1M'), '2024-02-29T12:00:00.000Z');
    assert.equal(after('2024-02-29T12:00:00Z', 'P1Y'), '2025-02-28T12:00:00.000Z');
  });

  it('of months never pass the month that they should reach', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 400 }),
        (at, months) => {
          const moved = addDuration(at, { months, ms: 0 });
          const expected = at.getUTCFullYear() * 12 + at.getUTCMonth() + months;
          assert.equal(moved.getUTCFullYear() * 12 + moved.getUTCMonth(), expected);
        },
      ),
    ));

  for (const text of ['', 'P', 'PT', '5M', 'PT5', '-PT5M', 'P1.5D', 'PT5M ', 'P1H']) {
    it(`refuse ${JSON.stringify(text)}`, () => assert.equal(parseDuration(text), undefined));
  }
});
