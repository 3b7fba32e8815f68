import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Type } from 'typebox';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { createTestDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import type { Ctx } from '../../context/context.ts';
import type { Tracing } from '../../telemetry/tracing/tracing.ts';
import { createJobEngine } from '../engine.ts';
import { enqueueJobs } from '../enqueue.ts';
import { defineJob, type JobOutcome } from '../job.ts';

const { url, drop } = await createTestDatabase();
const db = openTestDatabase(url, { connections: 4 });
after(async () => {
  await db.close();
  await drop();
});
const ctx = makeCtx(db);
const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const OWN = `00-${'a'.repeat(32)}-${'c'.repeat(16)}-01`;

const begun: { name: string; parent: string | undefined }[] = [];
const tracing: Tracing = {
  begin(name, { parent }) {
    begun.push({ name, parent });
    return { traceparent: OWN, end() {} };
  },
  close: async () => {},
};
const jobOf = (kind: string, run: (ctx: Ctx) => Promise<JobOutcome>) =>
  defineJob({ kind, schema: Type.Object({}), attemptsMax: 1, commits: 'steps', run });

describe('a run of a job', () => {
  it('belongs to the trace in which the job was added; a recurring job belongs to none, whichever way it repeats', async () => {
    const seen: (string | undefined)[] = [];
    let left = 2;
    const again = jobOf('test.again', async ({ now, trace }) => {
      seen.push(trace);
      return --left > 0 ? { againAt: now() } : undefined;
    });
    const asked = jobOf('test.asked', async ({ trace }) => void seen.push(trace) as undefined);
    const every = { ...jobOf('test.every', async () => undefined), everyMs: 60_000 };
    const engine = createJobEngine(ctx, [again, asked, every], { tracing });
    await engine.addRecurring();
    await enqueueJobs(ctx, again, '', [{ payload: {} }]);
    await engine.settle();
    assert.deepEqual([begun, seen], [[], [undefined, undefined]]);
    await enqueueJobs({ ...ctx, trace: TRACE }, asked, '', [{ payload: {} }]);
    await engine.settle();
    assert.deepEqual(begun, [{ name: 'job test.asked', parent: TRACE }]);
    assert.equal(seen.at(-1), OWN);
  });

  it('is given up with the job as actor, and with its request and trace', async () => {
    const givenUp: Pick<Ctx, 'requestId' | 'trace' | 'actor'>[] = [];
    const failing = defineJob({
      ...jobOf('test.failing', async () => {
        throw new Error('no luck');
      }),
      onGivenUp: async ({ requestId, trace, actor }) => void givenUp.push({ requestId, trace, actor }),
    });
    const engine = createJobEngine(ctx, [failing], { tracing });
    await enqueueJobs({ ...ctx, requestId: 'asked', trace: TRACE }, failing, '', [{ payload: {} }]);
    await engine.settle();
    const actor = { kind: 'system', name: 'test.failing' };
    assert.deepEqual(givenUp, [{ requestId: 'asked', trace: OWN, actor }]);
  });
});
