import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../../test/support/cases.ts';
import { addDays, CYCLES, cycleOf, dayFinder } from '../../../kernel/bill-cycle.ts';
import { sql } from '../../../platform/db/sql.ts';
import { A, ageing, B, below, HOUR_MS, imei, KB, openClosingScenes, paygRule } from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const ACCOUNTS: Readonly<Record<string, { timeZone: string; billCycleDay: number }>> = {
  [A]: { timeZone: 'America/Chicago', billCycleDay: 31 },
  [B]: { timeZone: 'Asia/Kolkata', billCycleDay: 12 },
};
const LINES = [
  { imei: imei(1), accountName: A, planSince: '2025-08-31T05:00:00Z' },
  { imei: imei(2), accountName: A, planSince: '2025-11-02T12:00:00Z' },
  { imei: imei(3), accountName: B, planSince: '2026-01-11T18:30:00Z' },
  { imei: imei(4), accountName: B, planSince: '2026-01-11T18:30:01Z' },
];
const LEVELS = { Daily: 1 * KB, Weekly: 4 * KB, Monthly: 9 * KB };
const AGES = [1, 3];

interface Usage {
  readonly line: number;
  readonly atMs: number;
  readonly bytes: number;
}

/** Evaluates day by day the cycles that ended with the previous day. */
function naive(startMs: number, endMs: number, usage: readonly Usage[]): string[] {
  const found: string[] = [];
  for (const { imei: subject, accountName, planSince } of LINES) {
    const { timeZone, billCycleDay } = ACCOUNTS[accountName]!;
    const { dayAt, startOf } = dayFinder(timeZone);
    const own = usage
      .filter(({ line }) => LINES[line]!.imei === subject)
      .map(({ atMs, bytes }) => ({ day: dayAt(atMs), bytes }));
    const sinceMs = Date.parse(planSince);
    for (const cycle of CYCLES) {
      for (let day = dayAt(startMs); startOf(addDays(day, 1)) <= endMs; day = addDays(day, 1)) {
        const { from, to } = cycleOf(cycle, day, billCycleDay);
        if (to !== addDays(day, 1) || sinceMs >= startOf(to)) continue;
        const used = own.filter((u) => u.day >= from && u.day < to).reduce((sum, u) => sum + u.bytes, 0);
        if (used < LEVELS[cycle]) found.push(`${subject} bytes ${LEVELS[cycle]} ${from} ${used}`);
      }
    }
    for (const age of AGES) {
      for (let day = dayAt(startMs); startOf(addDays(day, 1)) <= endMs; day = addDays(day, 1)) {
        const { from, to } = cycleOf('Monthly', day, billCycleDay);
        if (to !== addDays(day, 1)) continue;
        let whole = 0;
        for (let begins = from; startOf(begins) >= sinceMs; whole++)
          begins = cycleOf('Monthly', addDays(begins, -1), billCycleDay).from;
        if (whole < age) continue;
        found.push(`${subject} billCycles ${age} ${from} ${whole}`);
        break;
      }
    }
  }
  return found.sort();
}

const scene = await makeClosingScene({ at: '2026-01-01T00:00:00Z', accounts: ACCOUNTS, lines: LINES });
const finders = Object.fromEntries(
  Object.entries(ACCOUNTS).map(([name, { timeZone }]) => [name, dayFinder(timeZone)]),
);

describe('closing cycles', () => {
  it('fires the same as an evaluation after each day, for any usage and any downtime', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 80 * 24 }),
        fc.array(fc.integer({ min: 1, max: 24 * 20 }), { minLength: 1, maxLength: 3 }),
        fc.array(
          fc.record({
            line: fc.nat({ max: LINES.length - 1 }),
            hour: fc.integer({ min: 0, max: 24 * 40 }),
            bytes: fc.integer({ min: 0, max: 3 * KB }),
          }),
          { maxLength: 40 },
        ),
        async (startHour, stops, drawn) => {
          const startMs = Date.UTC(2026, 1, 1) + startHour * HOUR_MS;
          scene.world.clock.holdAt(new Date(startMs));
          for (const table of [
            'usage_record',
            'usage_device_month',
            'usage_account_day',
            'usage_bill_day',
            'firing',
          ])
            await scene.db.exec({ text: `delete from ${table}`, values: [] });
          await scene.db.exec(sql`delete from price_plan_trigger`);
          await scene.writeAll([
            ...CYCLES.map((cycle, n) => [n + 1, paygRule(below(LEVELS[cycle] / KB, cycle), [A, B])] as const),
            ...AGES.map((age, n) => [n + 11, ageing(age, [A, B])] as const),
          ]);
          const usage: Usage[] = [];
          let nowMs = startMs;
          for (const hours of stops) {
            const untilMs = nowMs + hours * HOUR_MS;
            // It arrives before the closed cycles are evaluated: nothing is evaluated again for later usage.
            const fresh = drawn
              .map(({ line, hour, bytes }) => ({ line, atMs: startMs + hour * HOUR_MS, bytes }))
              .filter(({ atMs }) => atMs >= nowMs && atMs < untilMs);
            usage.push(...fresh);
            scene.world.clock.holdAt(new Date(untilMs));
            await scene.feedAll(
              fresh.map(({ line, atMs, bytes }) => ({
                device: LINES[line]!.imei,
                at: new Date(atMs).toISOString(),
                bytes,
              })),
            );
            nowMs = untilMs;
            await scene.wakeAt(new Date(nowMs).toISOString());
          }
          const fired = (await scene.fired()).map(({ subject, kind, level, from, after }) => {
            const { accountName } = LINES.find((line) => line.imei === subject)!;
            return `${subject} ${kind} ${level} ${finders[accountName]!.dayAt(Date.parse(from))} ${after}`;
          });
          assert.deepEqual(fired.sort(), naive(startMs, nowMs, usage));
        },
      ),
      { numRuns: casesOf({ everyday: 2, all: 8 }), endOnFailure: true },
    );
  });
});
