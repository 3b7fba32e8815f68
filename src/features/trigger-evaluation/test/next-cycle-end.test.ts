import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { CYCLES, cycleOf } from '../../../kernel/bill-cycle.ts';
import { daysIn } from '../../../kernel/calendar.ts';
import { firstEnd, nextCycleEnd } from '../closings/next-cycle-end.ts';
import type { ComparedCycle } from '../sql-counters.ts';
import { A, B, below, openClosingScenes, paygRule } from './closing-scene.ts';

const HOUR_MS = 3_600_000;
const ZONES = ['America/Chicago', 'Asia/Kolkata', 'America/Phoenix', 'Europe/Berlin', 'Pacific/Apia'];
const daily = (timeZone: string): ComparedCycle => ({
  cycle: 'Daily',
  timeZone,
  billCycleDay: 1,
  boundaries: null,
});
const endOf = (cycles: readonly ComparedCycle[], after: string) =>
  firstEnd(cycles, new Date(after))?.toISOString();

/** Finds the cycle by stepping through quarters of an hour. */
function naiveEnd(cycles: readonly ComparedCycle[], after: Date): number {
  const nameAt = ({ cycle, timeZone, billCycleDay }: ComparedCycle, ms: number) =>
    cycleOf(cycle, daysIn(timeZone).dayAt(ms), billCycleDay).from;
  const names = cycles.map((one) => nameAt(one, after.getTime()));
  const step = HOUR_MS / 4;
  let ms = Math.floor(after.getTime() / step) * step + step;
  while (cycles.every((one, n) => nameAt(one, ms) === names[n])) ms += step;
  return ms;
}

const sceneOf = await openClosingScenes();

describe('the next end of a cycle in which usage is compared', () => {
  it('is that of a month, and of a day or week once a trigger compares it', async () => {
    const accounts = {
      [A]: { timeZone: 'America/Chicago', billCycleDay: 20 },
      [B]: { timeZone: 'America/Chicago', billCycleDay: 12 },
    };
    const at = '2026-03-04T17:40:00.000Z';
    const { write, db } = await sceneOf({ at, accounts, lines: [] });
    const next = async () => (await nextCycleEnd(db, new Date(at)))?.toISOString();
    assert.equal(await next(), '2026-03-12T05:00:00.000Z');
    const beyond = (cycleType: string) => paygRule({ ...below(5, cycleType), comparator: 'gt' });
    await write(1, beyond('Weekly'));
    assert.equal(await next(), '2026-03-09T05:00:00.000Z');
    await write(2, beyond('Daily'));
    assert.equal(await next(), '2026-03-05T06:00:00.000Z');
  });

  it('is the next midnight of any zone if cycles are days', () => {
    const cycles = ['America/Chicago', 'Asia/Kolkata'].map(daily);
    assert.equal(endOf(cycles, '2026-03-04T17:40:00Z'), '2026-03-04T18:30:00.000Z');
    assert.equal(endOf(cycles, '2026-03-04T18:30:00Z'), '2026-03-05T06:00:00.000Z');
  });

  it('follows a change to summer time', () => {
    assert.equal(endOf([daily('America/Chicago')], '2026-03-08T06:00:00Z'), '2026-03-09T05:00:00.000Z');
  });

  it('does not exist without an account', () => {
    assert.equal(endOf([], '2026-03-04T17:40:00Z'), undefined);
  });

  it('is the first time in another cycle, of any kind and in any zone', () => {
    const random = randomFor('ends of cycles');
    for (let n = 0; n < 60; n++) {
      const cycles = Array.from({ length: random.between(1, 4) }, () => ({
        cycle: random.pick(CYCLES),
        timeZone: random.pick(ZONES),
        billCycleDay: random.between(1, 31),
        boundaries: null,
      }));
      const after = new Date(Date.UTC(2026, 0, 1) + random.between(0, 400 * 24 * 60) * 60_000);
      const found = firstEnd(cycles, after)?.getTime();
      assert.equal(found, naiveEnd(cycles, after), `${JSON.stringify(cycles)} ${after.toISOString()}`);
    }
  });
});
