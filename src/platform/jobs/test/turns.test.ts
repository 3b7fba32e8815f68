import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { createTestDatabase, openTestDatabase } from '../../../../test/support/database.ts';
import { createClockMover } from '../../clock/clock-mover.ts';
import { openNotificationFeed } from '../../db/listen.ts';
import { sql } from '../../db/sql.ts';
import { openProxy } from '../../db/test/proxy.ts';
import { createJobEngine } from '../engine.ts';
import { enqueueJobs } from '../enqueue.ts';
import { defineJob, type JobOutcome, type JobRun } from '../job.ts';
import { JOB_CHANNEL } from '../sql.ts';
import { listJobs } from '../sql-list.ts';

const { url, drop } = await createTestDatabase();
const db = openTestDatabase(url, { connections: 8 });
const feed = await openNotificationFeed(url, [JOB_CHANNEL]);
after(async () => {
  await feed.close();
  await db.close();
  await drop();
});

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
const stateOf = async (kind: string) => (await listJobs(db, { kind, limit: 10 })).map(({ state }) => state);

/** Waits until every lease was renewed. */
async function untilRenewed(kind: string): Promise<void> {
  const first = async () =>
    (
      await db.one<{ at: Date }>(
        sql`select min(lease_until) as at from job where kind = ${kind} and state = 'running'`,
      )
    ).at.getTime();
  const last = await db.one<{ at: Date }>(
    sql`select max(lease_until) as at from job where kind = ${kind} and state = 'running'`,
  );
  while ((await first()) <= last.at.getTime()) await sleep(50);
}

describe('the order of jobs', () => {
  it('puts jobs of a dead process before jobs that have only waited', async () => {
    const ran: number[] = [];
    const job = kindOf(async (n) => void ran.push(n) as undefined);
    const entries = Array.from({ length: 20 }, (_, n) => ({ payload: { n }, dueAt: seconds(n - 100) }));
    await enqueueJobs(ctx, job, 'p1', entries);
    await db.exec(sql`
      update job set state = 'running', attempts = 1, lease_token = ${randomUUID()}, lease_until = statement_timestamp() - interval '1 s'
      where kind = ${job.kind} and payload->>'n' = '19'`);
    await createJobEngine(ctx, [job], { concurrency: 1 }).settle();
    assert.equal(ran[0], 19);
    assert.equal(ran.length, 20);
  });

  it('lets other jobs run while outside jobs wait, and gives one profile at most half of the outside places', async () => {
    const held = Promise.withResolvers<undefined>();
    const waiting: number[] = [];
    const outside = {
      ...kindOf((n) => {
        waiting.push(n);
        return held.promise;
      }),
      waitsOutside: true,
    };
    const done = Promise.withResolvers<void>();
    const inside = kindOf(async () => void done.resolve() as undefined);
    const engine = createJobEngine(ctx, [outside, inside], { concurrency: 1 });
    await enqueueJobs(
      ctx,
      outside,
      'p1',
      Array.from({ length: 40 }, (_, n) => ({ payload: { n } })),
    );
    await enqueueJobs(ctx, outside, 'p2', [{ payload: { n: 1_000 } }]);
    await enqueueJobs(ctx, inside, 'p1', [{ payload: { n: 0 } }]);
    const settled = engine.settle();
    await done.promise;
    while (waiting.length < 9) await sleep(5);
    assert.deepEqual([waiting.filter((n) => n < 1_000).length, waiting.includes(1_000)], [8, true]);
    held.resolve(undefined);
    assert.equal(await settled, 42);
  });

  it('gives one profile at most half of the places, and the other profiles theirs in turn', async () => {
    const held = Promise.withResolvers<undefined>();
    const begun: number[] = [];
    const done = Promise.withResolvers<void>();
    const long = kindOf((n) => {
      begun.push(n);
      return held.promise;
    });
    let short = 0;
    const quick = kindOf(async () => {
      if (++short === 5) done.resolve();
      return undefined;
    });
    await enqueueJobs(
      ctx,
      long,
      'p1',
      Array.from({ length: 10 }, (_, n) => ({ payload: { n }, dueAt: seconds(-100) })),
    );
    const engine = createJobEngine(ctx, [long, quick], { concurrency: 3 });
    const settled = engine.settle();
    while (begun.length < 2) await sleep(5);
    await enqueueJobs(
      ctx,
      quick,
      'p2',
      Array.from({ length: 5 }, (_, n) => ({ payload: { n } })),
    );
    const others = engine.settle();
    await done.promise;
    assert.equal(begun.length, 2);
    held.resolve(undefined);
    await Promise.all([settled, others]);
    assert.deepEqual([begun.length, short], [10, 5]);
  });

  it('never claims a job again that still runs here, even if its lease ended', async () => {
    let runs = 0;
    const held = Promise.withResolvers<undefined>();
    const started = Promise.withResolvers<void>();
    const later = Promise.withResolvers<void>();
    const job = kindOf((n) => {
      if (n === 2) later.resolve();
      else runs++;
      started.resolve();
      return held.promise;
    });
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 1 } }]);
    const engine = createJobEngine(ctx, [job], { concurrency: 3 });
    const settled = engine.settle();
    await started.promise;
    await db.exec(
      sql`update job set lease_until = statement_timestamp() - interval '1 s' where kind = ${job.kind}`,
    );
    await enqueueJobs(ctx, job, 'p1', [{ payload: { n: 2 } }]);
    const again = engine.settle();
    // What is due later has its turn: so would this one have had.
    await later.promise;
    held.resolve(undefined);
    await Promise.all([settled, again]);
    assert.deepEqual([runs, await stateOf(job.kind)], [1, ['done', 'done']]);
  });

  it('lets profiles take turns, whatever one of them has waiting', async () => {
    const ran: number[] = [];
    const job = kindOf(async (n) => void ran.push(n) as undefined);
    await db.exec(sql`
      insert into job (ecpd_id, job_id, kind, payload, due_at, attempts_max, request_id, created_at)
      select 'm-crowded', gen_random_uuid(), ${job.kind}, '{"n":0}', ${seconds(-1_000)}, 3, 'test', ${ctx.now()}
      from generate_series(1, 2000)`);
    // Profiles whose jobs are not due yet get no turn, but the query must skip them.
    await db.exec(sql`
      insert into job (ecpd_id, job_id, kind, payload, due_at, attempts_max, request_id, created_at)
      select 'n-' || n, gen_random_uuid(), ${job.kind}, '{"n":0}', ${seconds(1_000)}, 3, 'test', ${ctx.now()}
      from generate_series(1, 300) as n`);
    await enqueueJobs(ctx, job, 'a-first', [{ payload: { n: 1 } }, { payload: { n: 2 } }]);
    await enqueueJobs(ctx, job, 'z-last', [{ payload: { n: 3 } }]);
    const stop = new AbortController();
    const step = { nr: 1, until: ctx.now(), signal: stop.signal };
    const settled = createJobEngine(ctx, [job], { concurrency: 1 }).settle(step);
    while (ran.length < 30) await sleep(10);
    stop.abort();
    await settled;
    assert.deepEqual(
      ran
        .slice(0, 30)
        .filter((n) => n > 0)
        .sort(),
      [1, 2, 3],
    );
    await db.exec(sql`delete from job where kind = ${job.kind}`);
  });

  it('leaves connections to others while the maximum number of jobs runs', { timeout: 60_000 }, async () => {
    const held = Promise.withResolvers<undefined>();
    let runs = 0;
    const job = defineJob({
      kind: 'test.crowd',
      schema: Type.Object({}),
      attemptsMax: 3,
      commits: 'transaction',
      run: () => {
        runs++;
        return held.promise;
      },
    });
    for (const ecpdId of ['p1', 'p2'])
      await enqueueJobs(
        ctx,
        job,
        ecpdId,
        Array.from({ length: 10 }, () => ({ payload: {} })),
      );
    const engine = createJobEngine(ctx, [job], { feed });
    await engine.start();
    while (runs < db.transactionsMax - 2) await sleep(10);
    await Promise.all([1, 2].map(() => db.tx((tx) => tx.many(sql`select 1`))));
    // Renewing the leases also needs a connection.
    for (let renewals = 0; renewals < 2; renewals++) await untilRenewed(job.kind);
    assert.equal(runs, db.transactionsMax - 2);
    held.resolve(undefined);
    while (runs < 20) await sleep(10);
    await engine.stop(5_000);
    assert.equal(runs, 20);
    assert.ok((await listJobs(db, { kind: job.kind, limit: 50 })).every(({ attempts }) => attempts === 1));
  });

  it('reports soon that it cannot count while the database hangs', async () => {
    const proxy = await openProxy(url);
    // Much longer than the limit for counting.
    const through = openTestDatabase(proxy.url, { statementTimeoutMs: 120_000 });
    const engine = createJobEngine({ ...ctx, db: through }, []);
    assert.equal(await engine.countUnfinished(ctx.now()), 0);
    proxy.hang();
    await assert.rejects(engine.countUnfinished(ctx.now()), /no answer within/);
    proxy.resume();
    await through.close();
    await proxy.close();
  });

  it('runs recurring jobs once when the clock is moved, and other jobs at their own times', async () => {
    const times: Date[] = [];
    let ticks = 0;
    const own = kindOf(async () => void times.push(ctx.now()) as undefined);
    const recurring = defineJob({
      kind: 'test.hourly',
      schema: Type.Object({}),
      attemptsMax: 1,
      commits: 'steps',
      everyMs: 3_600_000,
      run: async () => void ticks++ as undefined,
    });
    const engine = createJobEngine(ctx, [own, recurring]);
    await engine.addRecurring();
    const due = [seconds(86_400), seconds(172_800)];
    await enqueueJobs(
      ctx,
      own,
      'p1',
      due.map((dueAt) => ({ payload: { n: 1 }, dueAt })),
    );
    const clock = ctx.clock;
    const to = seconds(30 * 86_400);
    await createClockMover(db, clock, [engine]).moveTo(to).done;
    assert.deepEqual(times, due);
    assert.equal(ticks, 3);
    clock.holdAt(to);
  });

  it('runs recurring jobs once a day while a moved clock stops at every hour, and then at their interval again', async () => {
    const hours: number[] = [];
    const recurred: number[] = [];
    const begin = ctx.now().getTime();
    const hour = () => Math.round((ctx.now().getTime() - begin) / 3_600_000);
    const own = kindOf(async () => void hours.push(hour()) as undefined);
    const recurring = defineJob({
      kind: 'test.every-hour',
      schema: Type.Object({}),
      attemptsMax: 1,
      commits: 'steps',
      everyMs: 3_600_000,
      run: async () => void recurred.push(hour()) as undefined,
    });
    const engine = createJobEngine(ctx, [own, recurring]);
    await engine.addRecurring();
    const due = Array.from({ length: 31 }, (_, n) => new Date(begin + (n + 1) * 3_600_000));
    await enqueueJobs(
      ctx,
      own,
      'p1',
      due.map((dueAt) => ({ payload: { n: 1 }, dueAt })),
    );
    await createClockMover(db, ctx.clock, [engine]).moveTo(due[29]!).done;
    assert.equal(hours.length, 30);
    assert.deepEqual(recurred, [24, 30]);
    ctx.clock.holdAt(due[30]!);
    await engine.settle();
    assert.deepEqual([hours.length, recurred.at(-1)], [31, 31]);
  });
});
