import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Type } from 'typebox';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { createJobEngine } from '../engine.ts';
import { defineJob, type JobKind } from '../job.ts';

const { db, drop } = await freshDatabase();
after(drop);
const ctx = makeCtx(db);
const [SECOND_MS, HOUR_MS] = [1_000, 3_600_000];
ctx.clock.holdAt(new Date('2026-03-10T12:00:00Z'));
const move = (ms: number) => ctx.clock.holdAt(new Date(ctx.now().getTime() + ms));

const recurring = (kind: string, more: Pick<JobKind, 'everyMs' | 'isPurge'>, onRun: () => void) =>
  defineJob({
    kind,
    schema: Type.Object({}),
    ...{ attemptsMax: 1, commits: 'steps' },
    ...more,
    run: async () => void onRun() as undefined,
  });

describe('a recurring job', () => {
  it('first runs a minute after it was added, or after a shorter interval, and then at its interval', async () => {
    const ran: string[] = [];
    const note = (name: string) => () => ran.push(`${name} ${ctx.now().toISOString().slice(11, 19)}`);
    const engine = createJobEngine(ctx, [
      recurring('test.hourly', { everyMs: HOUR_MS }, note('hourly')),
      recurring('test.quick', { everyMs: 20 * SECOND_MS }, note('quick')),
    ]);
    await engine.addRecurring();
    await engine.addRecurring();
    for (const seconds of [0, 19, 1, 20, 19, 1]) {
      move(seconds * SECOND_MS);
      await engine.settle();
    }
    assert.deepEqual(ran.sort(), ['hourly 12:01:00', 'quick 12:00:20', 'quick 12:00:40', 'quick 12:01:00']);
    move(HOUR_MS);
    await engine.settle();
    assert.ok(ran.includes('hourly 13:01:00'));
  });

  it('runs at a stop of a move only if that stop has recurring work, and a purge only if it has all of it', async () => {
    const ran: string[] = [];
    const engine = createJobEngine(ctx, [
      recurring('test.watch', { everyMs: HOUR_MS }, () => ran.push('watch')),
      recurring('test.purge', { everyMs: HOUR_MS, isPurge: true }, () => ran.push('purge')),
    ]);
    await engine.addRecurring();
    for (const which of ['none', 'exceptPurges', 'all'] as const) {
      move(2 * HOUR_MS);
      engine.runRecurring(which);
      await engine.settle();
      ran.push(which);
    }
    assert.deepEqual(ran.slice(0, 3), ['none', 'watch', 'exceptPurges']);
    assert.deepEqual(ran.slice(3, 5).sort(), ['purge', 'watch']);
    assert.equal(ran.length, 6);
  });
});
