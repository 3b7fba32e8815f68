import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { Type } from 'typebox';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { createTestDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { unreportedLoop } from '../../health/health.ts';
import { noTracing } from '../../telemetry/tracing/tracing.ts';
import { enqueueJobs } from '../enqueue.ts';
import { defineJob, type JobOutcome } from '../job.ts';
import { claimJobs, listOldestDue } from '../sql.ts';
import { createJobWorker } from '../worker.ts';

const { url, drop } = await createTestDatabase();
const db = openTestDatabase(url, { connections: 2 });
after(async () => {
  await db.close();
  await drop();
});
const ctx = makeCtx(db);

/** Whether a job with this outcome leads to another query at once. */
async function isDueAgain(name: string, outcome: () => JobOutcome): Promise<boolean | undefined> {
  const kind = defineJob({
    ...{ kind: `test.${name}`, schema: Type.Object({}), attemptsMax: 3, commits: 'steps' },
    run: async () => outcome(),
  });
  await enqueueJobs(ctx, kind, 'p1', [{ payload: {} }]);
  const jobs = await listOldestDue(db, ctx.now(), [kind.kind], 1);
  const claim = { ecpdId: 'p1', jobs, leaseToken: randomUUID(), now: ctx.now() };
  const [job] = await claimJobs(db, claim);
  const counts = { done: 0, failed: 0, retried: 0 };
  const worker = createJobWorker({ ctx, kind, job: job!, counts, records: unreportedLoop }, noTracing);
  await worker.run();
  return worker.isDueAgain;
}

describe('a job that has ended', () => {
  it('leads to a query at once if it asked to run again now, but not if it is done, waits or failed', async () => {
    const fails = (): JobOutcome => {
      throw new Error('no luck');
    };
    assert.equal(await isDueAgain('now', () => ({ againAt: ctx.now() })), true);
    assert.equal(
      await isDueAgain('later', () => ({ againAt: new Date(ctx.now().getTime() + 1_000) })),
      false,
    );
    assert.equal(await isDueAgain('done', () => undefined), false);
    assert.equal(await isDueAgain('fails', fails), false);
  });
});
