import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toZonedText } from './zoned-time.ts';

describe('a moment in a time zone', () => {
  const midnight = new Date('2026-01-15T06:00:00Z');
  for (const [zone, text] of [
    ['UTC', '2026-01-15T06:00:00+00:00'],
    ['America/Chicago', '2026-01-15T00:00:00-06:00'],
    ['Asia/Kathmandu', '2026-01-15T11:45:00+05:45'],
    ['Pacific/Kiritimati', '2026-01-15T20:00:00+14:00'],
  ] as const)
    it(`has the day, the hour and the offset of ${zone}`, () =>
      assert.equal(toZonedText(midnight, zone), text));

  it('has the offset of its own season', () =>
    assert.equal(
      toZonedText(new Date('2026-07-15T05:00:00Z'), 'America/Chicago'),
      '2026-07-15T00:00:00-05:00',
    ));
});
