import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { createJobEngine, type JobEngine } from '../engine.ts';
import { NO_PROFILE } from '../job.ts';
import { definePurge } from '../purge.ts';
import { listJobs } from '../sql-list.ts';

const { db, drop } = await freshDatabase();
after(drop);
const ctx = makeCtx(db);
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
ctx.clock.holdAt(new Date('2026-03-10T12:00:00Z'));

/** A new database has nothing to delete, so the first run is an hour later. */
async function runFirst(engine: JobEngine): Promise<void> {
  await engine.addRecurring();
  ctx.clock.holdAt(new Date(ctx.now().getTime() + HOUR_MS));
  await engine.settle();
}

describe('a purge', () => {
  it('is due for the first time an hour after the tables were made', async () => {
    const job = definePurge({ kind: 'test.first', batch: 10, retentions: [] });
    await createJobEngine(ctx, [job]).addRecurring();
    const [first] = await listJobs(db, { kind: 'test.first', limit: 1 });
    assert.deepEqual([first?.state, first?.dueAt], ['waiting', new Date('2026-03-10T13:00:00Z')]);
  });

  it('deletes expired rows batch by batch, for all of its retentions', async () => {
    const asked: string[] = [];
    const until = (name: string, batches: readonly number[]) => {
      const left = [...batches];
      return async (_db: unknown, before: Date, limit: number) => {
        asked.push(`${name} ${before.toISOString().slice(0, 10)} ${limit}`);
        return left.shift() ?? 0;
      };
    };
    const job = definePurge({
      kind: 'test.all',
      batch: 10,
      retentions: [
        { keptMs: DAY_MS, deleteBefore: until('short', [10, 4]) },
        { keptMs: 3 * DAY_MS, deleteBefore: until('long', []) },
      ],
    });
    const engine = createJobEngine(ctx, [job]);
    await runFirst(engine);
    assert.deepEqual(asked, [...Array(3).fill('short 2026-03-09 10'), 'long 2026-03-07 10']);
    const [next] = await listJobs(db, { kind: 'test.all', limit: 1 });
    assert.deepEqual([next?.state, next?.dueAt], ['waiting', new Date('2026-03-10T14:00:00Z')]);
  });

  it('uses real time for rows that expire in real time', async () => {
    const real = new Date('2020-01-01T00:00:00Z');
    const asked: Date[] = [];
    const job = definePurge({
      kind: 'test.real',
      batch: 10,
      now: () => real,
      retentions: [{ keptMs: 0, deleteBefore: async (_db, before) => asked.push(before) && 0 }],
    });
    const engine = createJobEngine(ctx, [job]);
    await runFirst(engine);
    assert.deepEqual(asked, [real]);
  });

  it('ends after the current batch when its signal aborts, and is not done', async () => {
    const abort = new AbortController();
    let batches = 0;
    const deleteBefore = async () => {
      batches++;
      abort.abort(new Error('the process is stopping'));
      return 10;
    };
    const job = definePurge({
      kind: 'test.stopped',
      batch: 10,
      retentions: [
        { keptMs: DAY_MS, deleteBefore },
        { keptMs: DAY_MS, deleteBefore },
      ],
    });
    const run = { jobId: 'j', ecpdId: NO_PROFILE, attempt: 1, signal: abort.signal };
    await assert.rejects(job.run(ctx, {}, run), /the process is stopping/);
    assert.equal(batches, 1);
  });
});
