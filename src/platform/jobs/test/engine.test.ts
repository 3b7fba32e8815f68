import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { createTestDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { openNotificationFeed } from '../../db/listen.ts';
import { sql } from '../../db/sql.ts';
import { openProxy } from '../../db/test/proxy.ts';
import { createHealth } from '../../health/health.ts';
import { createJobEngine } from '../engine.ts';
import { enqueueJobs } from '../enqueue.ts';
import { backoffMs, defineJob, type JobOutcome, type JobRun } from '../job.ts';
import { JOB_CHANNEL } from '../sql.ts';
import { listJobs, retryJob } from '../sql-list.ts';

const { url, drop } = await createTestDatabase();
const db = openTestDatabase(url, { connections: 8 });
const feed = await openNotificationFeed(url, [JOB_CHANNEL]);
after(async () => {
  await feed.close();
  await db.close();
  await drop();
});
await db.exec(sql`create table done_work (n int not null)`);

let number = 0;
/** A new kind for each test, so that tests do not see each other's jobs. */
const kindOf = (run: (n: number, run: JobRun) => Promise<JobOutcome>) =>
  defineJob({
    kind: `test.${++number}`,
    schema: Type.Object({ n: Type.Integer() }),
    attemptsMax: 3,
    commits: 'steps',
    run: (_ctx, { n }, jobRun) => run(n, jobRun),
  });
const seconds = (n: number) => new Date(ctx.now().getTime() + n * 1_000);
const ctx = makeCtx(db);
const move = (ms: number) => ctx.clock.holdAt(new Date(ctx.now().getTime() + ms));
const stateOf = async (kind: string) => (await listJobs(db, { kind, limit: 10 })).map(({ state }) => state);

describe('the job engine', () => {
  it('runs due jobs in the order of due times, and none early', async () => {
    const ran: number[] = [];
    const job = kindOf(async (n) => void ran.push(n) as undefined);
    const engine = createJobEngine(ctx, [job], { concurrency: 1 });
    await enqueueJobs(ctx, job, 'p1', [
      { payload: { n: 3 }, dueAt: seconds(3) },
      { payload: { n: 1 }, dueAt: seconds(1) },
      { payload: { n: 2 }, dueAt: seconds(2) },
    ]);
    assert.equal(await engine.settle(), 0);
    assert.deepEqual(await engine.nextDueAt(), seconds(1));
    move(2_000);
    assert.equal(await engine.settle(), 2);
    assert.deepEqual(ran, [1, 2]);
    move(1_000);
    await engine.settle();
    assert.deepEqual(ran, [1, 2, 3]);
  });

  it('keeps one job for a key until it has finished', async () => {
    let runs = 0;
    const job = kindOf(async () => void runs++ as undefined);
    const engine = createJobEngine(ctx, [job]);
    for (let i = 0; i < 3; i++) await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 }, key: 'same' }]);
    await engine.settle();
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 }, key: 'same' }]);
    await engine.settle();
    assert.equal(runs, 2);
  });

  it('retries a failure with growing delays, then leaves it failed and visible, and runs it again on request', async () => {
    let failing = true;
    const attempts: number[] = [];
    const job = kindOf(async (_n, { attempt }) => {
      attempts.push(attempt);
      if (failing) throw new Error('no luck');
      return undefined;
    });
    const engine = createJobEngine(ctx, [job]);
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 } }]);
    await engine.settle();
    assert.deepEqual(await engine.nextDueAt(), new Date(ctx.now().getTime() + backoffMs(1)));
    for (let i = 1; i <= 3; i++) {
      move(backoffMs(i));
      await engine.settle();
    }
    assert.deepEqual(attempts, [1, 2, 3]);
    const [failed] = await listJobs(db, { kind: job.kind, limit: 10 });
    assert.deepEqual([failed?.state, failed?.lastError], ['failed', 'no luck']);
    failing = false;
    assert.equal(await retryJob(db, failed!.id, ctx.now()), true);
    await engine.settle();
    assert.deepEqual(await stateOf(job.kind), ['done']);
  });

  it('commits the work of a transactional job together with its end, and neither if it fails', async () => {
    let failing = true;
    const job = defineJob({
      kind: 'test.transaction',
      schema: Type.Object({}),
      attemptsMax: 3,
      commits: 'transaction',
      async run({ db: tx }) {
        await tx.exec(sql`insert into done_work values (1)`);
        if (failing) throw new Error('after the write');
        return undefined;
      },
    });
    const engine = createJobEngine(ctx, [job]);
    await enqueueJobs(ctx, job, 'p1', [{ payload: {} }]);
    await engine.settle();
    assert.equal((await db.many(sql`select * from done_work`)).length, 0);
    failing = false;
    move(backoffMs(1));
    await engine.settle();
    assert.equal((await db.many(sql`select * from done_work`)).length, 1);
  });

  it('never runs one job twice, however many workers query at once', async () => {
    const ran: number[] = [];
    const job = kindOf(async (n) => void ran.push(n) as undefined);
    await enqueueJobs(
      ctx,
      job,
      'p1',
      Array.from({ length: 60 }, (_, n) => ({ payload: { n } })),
    );
    const engines = Array.from({ length: 4 }, () => createJobEngine(ctx, [job], { concurrency: 4 }));
    await Promise.all(engines.map((engine) => engine.settle()));
    assert.deepEqual([ran.length, new Set(ran).size], [60, 60]);
  });

  it('gives the job of a dead worker to another after its lease ends, and the dead one cannot finish it', async () => {
    const ran: string[] = [];
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    let first = true;
    const job = kindOf(async () => {
      ran.push(first ? 'dead' : 'alive');
      if (first) {
        first = false;
        started.resolve();
        await held.promise;
      }
      return undefined;
    });
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 } }]);
    // It neither claims nor renews, like a process that hangs or died.
    const proxy = await openProxy(url);
    proxy.drop('update job set lease_until');
    const through = openTestDatabase(proxy.url);
    const dead = createJobEngine({ ...ctx, db: through }, [job]);
    const ended = dead.settle();
    await started.promise;
    const startedAt = performance.now();
    const alive = createJobEngine(ctx, [job], { feed });
    await alive.start();
    while (ran.length < 2 && performance.now() - startedAt < 30_000) await sleep(50);
    assert.deepEqual(ran, ['dead', 'alive']);
    held.resolve();
    await ended;
    assert.deepEqual(await stateOf(job.kind), ['done']);
    await alive.stop(1_000);
    await proxy.close();
    await through.close();
  });

  it('gives up a job after processes died in all its attempts, so that it does not kill another', async () => {
    let runs = 0;
    const job = kindOf(async () => void runs++ as undefined);
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 } }]);
    // The state that three dead processes leave: claimed, all attempts used, lease ended.
    await db.exec(sql`
      update job set state = 'running', attempts = 3, lease_token = ${randomUUID()}, lease_until = statement_timestamp() - interval '1 s'
      where kind = ${job.kind}`);
    await createJobEngine(ctx, [job]).settle();
    assert.deepEqual([runs, await stateOf(job.kind)], [0, ['failed']]);
  });

  it('stops within its grace time even if a job ignores the signal, and leaves that job to its lease', async () => {
    const started = Promise.withResolvers<void>();
    const never = Promise.withResolvers<undefined>();
    const job = kindOf(() => {
      started.resolve();
      return never.promise;
    });
    const engine = createJobEngine(ctx, [job], { feed });
    await engine.start();
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 } }]);
    await started.promise;
    await engine.stop(50);
    assert.deepEqual(await stateOf(job.kind), ['running']);
    never.resolve(undefined);
  });

  it('hands back an interrupted job as if it had not been claimed', async () => {
    const started = Promise.withResolvers<void>();
    const job = kindOf(async (_n, { signal }) => {
      started.resolve();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return undefined;
    });
    const engine = createJobEngine(ctx, [job], { feed });
    await engine.start();
    const dueAt = seconds(-60);
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 }, dueAt }]);
    await started.promise;
    await engine.stop(50);
    const [left] = await listJobs(db, { kind: job.kind, limit: 10 });
    assert.deepEqual(
      [left?.state, left?.dueAt, left?.attempts, left?.lastError],
      ['waiting', dueAt, 0, null],
    );
    assert.equal(engine.counts.get(job.kind)?.retried, 0);
  });

  it('starts a job at once when it is enqueued, and finishes running jobs when it is stopped', async () => {
    const order: string[] = [];
    const started = Promise.withResolvers<void>();
    const job = kindOf(async () => {
      order.push('started');
      started.resolve();
      await sleep(100);
      order.push('finished');
      return undefined;
    });
    const engine = createJobEngine(ctx, [job], { feed });
    await engine.start();
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 } }]);
    await started.promise;
    await engine.stop(5_000);
    assert.deepEqual(order, ['started', 'finished']);
    assert.deepEqual(await stateOf(job.kind), ['done']);
  });

  it('runs a job again at the time it asks for', async () => {
    const times: number[] = [];
    const job = kindOf(async () => {
      times.push(ctx.now().getTime());
      return times.length < 3 ? { againAt: seconds(60) } : undefined;
    });
    const engine = createJobEngine(ctx, [job]);
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 } }]);
    for (let i = 0; i < 4; i++, move(60_000)) await engine.settle();
    assert.equal(times.length, 3);
  });
});

describe('jobs that cannot be queried', () => {
  // PostgreSQL takes no text with this character.
  const unsound = defineJob({ ...kindOf(async () => undefined), kind: 'test.\0' });

  it('do not keep the other crew from running, neither inside nor outside', {
    timeout: 30_000,
  }, async () => {
    for (const waitsOutside of [true, false]) {
      const ran = Promise.withResolvers<undefined>();
      const sound = defineJob({
        ...kindOf(async () => ran.resolve(undefined) as undefined),
        waitsOutside,
      });
      const others = defineJob({ ...unsound, waitsOutside: !waitsOutside });
      const engine = createJobEngine(ctx, [sound, others]);
      await enqueueJobs(ctx, sound, '', [{ payload: { n: 1 } }]);
      await engine.start();
      await ran.promise.finally(() => engine.stop(1_000));
    }
  });

  it('make the process not ready if there is no other work', { timeout: 30_000 }, async () => {
    const health = createHealth();
    const idle = defineJob({ ...kindOf(async () => undefined), waitsOutside: true });
    const engine = createJobEngine(ctx, [idle, unsound], { health });
    await engine.start();
    while (health.failing().length === 0) await sleep(50);
    await engine.stop(1_000);
  });
});
