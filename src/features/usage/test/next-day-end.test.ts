import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextDayEnd } from '../usage-cycle.ts';

const ends = (zones: readonly string[], after: string) => nextDayEnd(zones, new Date(after))?.toISOString();

describe('the end of a day in one of several zones', () => {
  it('is the next midnight of any of them', () => {
    const zones = ['America/Chicago', 'Asia/Kolkata'];
    assert.equal(ends(zones, '2026-03-04T17:40:00Z'), '2026-03-04T18:30:00.000Z');
    assert.equal(ends(zones, '2026-03-04T18:30:00Z'), '2026-03-05T06:00:00.000Z');
  });

  it('follows a change to summer time', () => {
    assert.equal(ends(['America/Chicago'], '2026-03-08T06:00:00Z'), '2026-03-09T05:00:00.000Z');
  });

  it('does not come where there is no account', () => {
    assert.equal(ends([], '2026-03-04T17:40:00Z'), undefined);
  });
});
