import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, CYCLES, cycleOf, dayFinder } from './bill-cycle.ts';

/** A midnight that does not exist, half hours, offsets of 14 hours, and a zone without daylight saving. */
const ZONES = [
  'UTC',
  'America/Chicago',
  'America/Sao_Paulo',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Europe/Berlin',
];
const days = fc
  .integer({ min: Date.UTC(2012, 0, 1) / 86_400_000, max: Date.UTC(2036, 0, 1) / 86_400_000 })
  .map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
const instants = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2036, 0, 1) });
const cycles = fc.constantFrom(...CYCLES);
const billCycleDays = fc.integer({ min: 1, max: 31 });
const zones = fc.constantFrom(...ZONES);

describe('a cycle', () => {
  it('of a month begins on the bill-cycle day, or on the last day of a shorter month', () => {
    const monthly = (day: string, billCycleDay: number) => cycleOf('Monthly', day, billCycleDay);
    assert.deepEqual(monthly('2026-02-27', 31), { from: '2026-01-31', to: '2026-02-28' });
    assert.deepEqual(monthly('2026-02-28', 31), { from: '2026-02-28', to: '2026-03-31' });
    assert.deepEqual(monthly('2028-02-28', 30), { from: '2028-01-30', to: '2028-02-29' });
    assert.deepEqual(monthly('2026-01-01', 15), { from: '2025-12-15', to: '2026-01-15' });
    assert.deepEqual(monthly('2026-12-31', 1), { from: '2026-12-01', to: '2027-01-01' });
  });

  // proves 2.2.1-condition/cycleType
  it('of a week begins on Monday', () => {
    assert.deepEqual(cycleOf('Weekly', '2026-01-04', 1), { from: '2025-12-29', to: '2026-01-05' });
    assert.deepEqual(cycleOf('Weekly', '2026-01-05', 1), { from: '2026-01-05', to: '2026-01-12' });
  });

  it('contains its day, and the next one begins where it ends: cycles tile the calendar', () =>
    fc.assert(
      fc.property(cycles, days, billCycleDays, (cycle, day, billCycleDay) => {
        const { from, to } = cycleOf(cycle, day, billCycleDay);
        assert.ok(from <= day && day < to);
        assert.equal(cycleOf(cycle, to, billCycleDay).from, to);
        assert.deepEqual(cycleOf(cycle, from, billCycleDay), { from, to });
        assert.deepEqual(cycleOf(cycle, addDays(to, -1), billCycleDay), { from, to });
      }),
    ));
});

describe('a local day', () => {
  it('is the calendar day of the zone, even on days that are shorter or longer', () => {
    const chicago = dayFinder('America/Chicago');
    assert.equal(chicago.dayAt(Date.parse('2026-03-08T05:59:59.999Z')), '2026-03-07');
    assert.equal(chicago.dayAt(Date.parse('2026-03-08T06:00:00.000Z')), '2026-03-08');
    assert.equal(chicago.startOf('2026-03-09') - chicago.startOf('2026-03-08'), 23 * 3_600_000);
    assert.equal(chicago.startOf('2026-11-02') - chicago.startOf('2026-11-01'), 25 * 3_600_000);
    // In Cairo clocks go from 0:00 to 1:00 on this day: it begins at one o'clock.
    const cairo = dayFinder('Africa/Cairo');
    assert.equal(new Date(cairo.startOf('2026-04-24')).toISOString(), '2026-04-23T22:00:00.000Z');
  });

  it('contains every instant from its start to that of the next day: days tile time', () =>
    fc.assert(
      fc.property(zones, instants, (zone, at) => {
        const { dayAt, startOf } = dayFinder(zone);
        const day = dayAt(at);
        assert.ok(startOf(day) <= at && at < startOf(addDays(day, 1)));
        assert.equal(dayAt(startOf(day)), day);
        assert.notEqual(dayAt(startOf(day) - 1), day);
      }),
      { numRuns: 300 },
    ));

  it('that a zone skips begins when the next one does', () => {
    const { startOf } = dayFinder('Pacific/Apia');
    assert.equal(startOf('2011-12-30'), startOf('2011-12-31'));
  });
});
