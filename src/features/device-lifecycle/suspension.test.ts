import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDuration } from '../../kernel/duration.ts';
import { countSuspensions, DAY_MS, resumeTime, type Suspension } from './suspension.ts';

const NOW = new Date('2026-07-01T12:00:00Z');
const at = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const lasted = (from: number, to: number): Suspension => ({ suspendedAt: at(from), resumedAt: at(to) });

/** What a customer does over the years: waits, requests some days, and ends the suspension early or not. */
const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 2 * DAY_MS }), fc.integer({ min: 0, max: 200 * DAY_MS })),
    days: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
    endsEarlyAfter: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 25 },
);

type Script = typeof steps extends fc.Arbitrary<infer S> ? S : never;

function live(script: Script): Suspension[] {
  const history: Suspension[] = [];
  let now = NOW;
  for (const { waitMs, days, endsEarlyAfter } of script) {
    now = new Date(now.getTime() + waitMs);
    const counts = countSuspensions(history, now);
    if (counts.daysLeft === 0) continue;
    const resumesAt = resumeTime(counts, { days }, now);
    const lastsMs = (resumesAt.getTime() - now.getTime()) * (endsEarlyAfter ?? 1);
    const resumedAt = new Date(now.getTime() + Math.round(lastsMs));
    history.push({ suspendedAt: now, resumedAt });
    now = resumedAt;
  }
  return history;
}

const suspendedMs = (history: readonly Suspension[], from: Date, to: Date) =>
  history.reduce((sum, { suspendedAt, resumedAt }) => {
    const start = Math.max(from.getTime(), suspendedAt.getTime());
    return sum + Math.max(0, Math.min(to.getTime(), resumedAt!.getTime()) - start);
  }, 0);

describe('with any sequence of requests, a device', () => {
  it('is never suspended for more than 180 days of any 12 months', () =>
    fc.assert(
      fc.property(steps, (script) => {
        const history = live(script);
        for (const { resumedAt } of history) {
          const from = addDuration(resumedAt!, { months: -12, ms: 0 });
          assert.ok(suspendedMs(history, from, resumedAt!) <= 180 * DAY_MS);
        }
      }),
      { numRuns: 500 },
    ));

  it('is never suspended for more than 90 days without a day of activity', () =>
    fc.assert(
      fc.property(steps, (script) => {
        let [rowMs, end] = [0, Number.NEGATIVE_INFINITY];
        for (const { suspendedAt, resumedAt } of live(script)) {
          if (suspendedAt.getTime() - end >= DAY_MS) rowMs = 0;
          rowMs += resumedAt!.getTime() - suspendedAt.getTime();
          end = resumedAt!.getTime();
          assert.ok(rowMs <= 90 * DAY_MS);
        }
      }),
      { numRuns: 500 },
    ));

  it('has used and allowed days that add up to 180, and can be suspended again a year later', () =>
    fc.assert(
      fc.property(steps, (script) => {
        const history = live(script);
        const end = history.at(-1)?.resumedAt ?? NOW;
        const { suspendedLast12Months, allowedCurrent12Months } = countSuspensions(history, end);
        assert.equal(suspendedLast12Months + allowedCurrent12Months, 180);
        const later = addDuration(end, { months: 12, ms: DAY_MS });
        assert.deepEqual(countSuspensions(history, later), {
          suspendedLast12Months: 0,
          allowedCurrent12Months: 180,
          daysLeft: 90,
        });
      }),
      { numRuns: 200 },
    ));
});

describe('the days of a device', () => {
  const daysOf = (...history: Suspension[]) => countSuspensions(history, NOW);

  it('are 90 of 180 when it was never suspended', () =>
    assert.deepEqual(daysOf(), { suspendedLast12Months: 0, allowedCurrent12Months: 180, daysLeft: 90 }));

  it('count a started day as a whole day', () =>
    assert.equal(daysOf(lasted(-10, -9.9), lasted(-8, -6.5)).suspendedLast12Months, 2));

  it('count only the part of a suspension that lies within 12 months', () =>
    assert.equal(daysOf(lasted(-400, -360)).suspendedLast12Months, 5));

  it('continue a row that ended less than a day ago, and no older one', () => {
    assert.equal(daysOf(lasted(-60.5, -0.5)).daysLeft, 30);
    assert.equal(daysOf(lasted(-61, -1)).daysLeft, 90);
    assert.equal(daysOf(lasted(-90, 0)).daysLeft, 0);
  });

  it('are limited by the days that the year leaves', () =>
    assert.equal(daysOf(lasted(-300, -210), lasted(-120, -40)).daysLeft, 10));

  it('end a suspension as requested, or when none are left', () => {
    const counts = daysOf(lasted(-300, -210), lasted(-120, -40));
    assert.deepEqual(resumeTime(counts, {}, NOW), at(10));
    assert.deepEqual(resumeTime(counts, { days: 3 }, NOW), at(3));
    assert.deepEqual(resumeTime(counts, { days: 30 }, NOW), at(10));
    assert.deepEqual(resumeTime(counts, { until: at(2.5) }, NOW), at(2.5));
  });
});
