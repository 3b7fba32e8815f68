import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { changeTriggers } from '../../../../test/support/triggers.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { findSavedClock } from '../../../platform/clock/clock-row.ts';
import { sql } from '../../../platform/db/sql.ts';
import { enqueueJobs } from '../../../platform/jobs/enqueue.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

let ticks: number[] = [];
const tick = defineJob({
  kind: 'test.tick',
  schema: Type.Object({}),
  attemptsMax: 1,
  commits: 'steps',
  async run({ now }) {
    ticks.push(now().getTime());
    return undefined;
  },
});
/** Ends when the test lets it. */
let letSlowEnd = () => {};
const slow = defineJob({
  kind: 'test.slow',
  schema: Type.Object({}),
  attemptsMax: 1,
  commits: 'steps',
  async run() {
    await new Promise<void>((resolve) => {
      letSlowEnd = resolve;
    });
    return undefined;
  },
});
const PRODUCTION = {
  DATABASE_URL: 'postgres://unused/x',
  LINEKEEPER_SECRET_KEY: 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  LINEKEEPER_OPERATOR_KEY: 'operator-key-for-tests',
};
const world = await makeWorld({ jobs: [tick] });
const { operator, ctx } = world;
await world.import(SMALL_FLEET);

describe('the clock', () => {
  const DAY_MS = 86_400_000;
  const enqueue = (job: typeof tick, days: readonly number[]) =>
    enqueueJobs(
      ctx,
      job,
      'p',
      days.map((day) => ({ payload: {}, dueAt: new Date(ctx.now().getTime() + day * DAY_MS) })),
    );

  // proves clock/who-may-move-it clock/due-work
  it('200: advances through everything that becomes due, each at its own time', async () => {
    ticks = [];
    const start = ctx.now().getTime();
    await enqueue(tick, [1, 2, 5]);
    const answer = await operator('POST', '/clock', { advance: 'P3D' });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.json().ran, 2);
    assert.deepEqual(ticks, [start + DAY_MS, start + 2 * DAY_MS]);
    assert.ok(Math.abs(new Date(answer.json().now).getTime() - (start + 3 * DAY_MS)) < 1_000);
  });

  // proves clock/who-may-move-it
  it('200: can be set to a time that is not before now', async () => {
    const to = new Date(ctx.now().getTime() + 30 * DAY_MS);
    assert.equal((await operator('POST', '/clock', { set: to.toISOString() })).statusCode, 200);
    const back = await operator('POST', '/clock', { set: '2020-01-01T00:00:00Z' });
    assert.deepEqual([back.statusCode, back.json().code], [400, 'clock_backwards']);
  });

  // proves clock/due-work
  it('202: continues in the background if the work takes longer than the call waits, and refuses another move', async () => {
    const own = await makeWorld({ jobs: [slow], settings: { advanceWaitMs: 50 } });
    await enqueueJobs(own.ctx, slow, 'p', [
      { payload: {}, dueAt: new Date(own.ctx.now().getTime() + DAY_MS) },
    ]);
    const answer = await own.operator('POST', '/clock', { advance: 'P2D' });
    assert.equal(answer.statusCode, 202);
    assert.equal(answer.json().remaining, 1);
    const moving = (await own.operator('GET', '/clock')).json();
    assert.ok(moving.movingTo);
    assert.equal((await own.operator('POST', '/clock', { advance: 'PT1S' })).json().code, 'clock_moving');
    while ((await own.operator('GET', '/clock')).json().movingTo) {
      letSlowEnd();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal((await own.operator('GET', '/jobs?kind=test.slow')).json()[0].state, 'done');
  });

  it('400: moves at most ten years at a time', async () => {
    const later = new Date(ctx.now().getTime() + 11 * 366 * DAY_MS).toISOString();
    for (const body of [{ advance: 'P11Y' }, { advance: 'P9999Y999999D' }, { set: later }]) {
      const answer = await operator('POST', '/clock', body);
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'clock_too_far']);
    }
  });

  it('200: moves once for an Idempotency-Key, and repeats get the same answer', async () => {
    const move = (advance: string) => operator('POST', '/clock', { advance }, { 'idempotency-key': 'a-day' });
    const first = await move('P1D');
    const again = await move('P1D');
    assert.deepEqual([again.statusCode, again.json()], [200, first.json()]);
    assert.ok(ctx.now().getTime() - Date.parse(first.json().now) < DAY_MS);
    assert.equal((await move('P2D')).statusCode, 422);
  });

  for (const [body, reason] of [
    [{ advance: '5 minutes' }, 'advance is not an ISO 8601 duration'],
    [{ set: 'soon' }, 'set is not an ISO 8601 date and time'],
    [{}, 'give one of advance, set, freeze and reset'],
    [{ advance: 'PT1S', set: '2030-01-01T00:00:00Z' }, 'give one of advance, set, freeze and reset'],
    [{ advance: 'PT1S', reset: true }, 'give one of advance, set, freeze and reset'],
    [{ advance: 5 }, 'advance must be string'],
  ] as const) {
    it(`400: refuses ${JSON.stringify(body)} and says why`, async () => {
      const answer = await operator('POST', '/clock', body);
      assert.equal(answer.statusCode, 400);
      assert.ok(answer.body.includes(reason), answer.body);
    });
  }

  // proves clock/who-may-move-it
  it('409: cannot be moved outside the sandbox, nor with a second process', async () => {
    const production = await makeWorld({ env: PRODUCTION });
    const crowded = await makeWorld({ otherNodes: () => 1 });
    for (const { operator: ask } of [production, crowded]) {
      const answer = await ask('POST', '/clock', { advance: 'PT1S' });
      assert.deepEqual([answer.statusCode, answer.json().code], [409, 'clock_fixed']);
    }
  });

  // proves clock/freeze
  it('200: freezes, then moves exactly to the millisecond, and runs again when it is unfrozen', async () => {
    const own = await makeWorld({ runs: true });
    const clock = async () => (await own.operator('GET', '/clock')).json();
    assert.equal((await clock()).frozen, false);
    assert.equal((await own.operator('POST', '/clock', { freeze: true })).statusCode, 200);
    const { now, frozen } = await clock();
    assert.equal(frozen, true);
    assert.equal((await own.operator('POST', '/clock', { freeze: true })).statusCode, 200);
    await own.operator('POST', '/clock', { advance: 'P1D' });
    assert.equal(Date.parse((await clock()).now), Date.parse(now) + DAY_MS);
    assert.equal((await own.operator('POST', '/clock', { freeze: false })).statusCode, 200);
    const ran = await clock();
    assert.equal(ran.frozen, false);
    assert.ok(Date.parse(ran.now) >= Date.parse(now) + DAY_MS);
  });

  // proves clock/freeze
  it('200: while frozen, counts what becomes due on the way, not what was due before', async () => {
    const own = await makeWorld({ jobs: [tick] });
    const due = (days: number) => ({ payload: {}, dueAt: new Date(own.ctx.now().getTime() + days * DAY_MS) });
    await enqueueJobs(own.ctx, tick, 'p', [due(0), due(0), due(1), due(2)]);
    const ran = async (advance: string) => (await own.operator('POST', '/clock', { advance })).json().ran;
    assert.deepEqual([await ran('PT0S'), await ran('P3D'), await ran('PT0S')], [0, 2, 0]);
  });

  // proves clock/freeze
  it('404: cannot be frozen outside the sandbox', async () => {
    const production = await makeWorld({ env: PRODUCTION });
    const answer = await production.operator('POST', '/clock', { freeze: true });
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'sandbox_only']);
  });

  it('409: is not frozen while it moves', async () => {
    const own = await makeWorld({ jobs: [slow], settings: { advanceWaitMs: 50 } });
    await enqueueJobs(own.ctx, slow, 'p', [{ payload: {} }]);
    assert.equal((await own.operator('POST', '/clock', { advance: 'P2D' })).statusCode, 202);
    assert.equal((await own.operator('POST', '/clock', { freeze: false })).json().code, 'clock_moving');
    // The move may not have started yet.
    while ((await own.operator('GET', '/clock')).json().movingTo) {
      letSlowEnd();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('409: stops where it is if a second process joins during a move', async () => {
    let others = 0;
    const job = defineJob({ ...tick, kind: 'test.joined', run: async () => void others++ as undefined });
    const own = await makeWorld({ jobs: [job], otherNodes: () => others });
    const start = own.ctx.now().getTime();
    const dueAt = (day: number) => new Date(start + day * DAY_MS);
    await enqueueJobs(own.ctx, job, 'p', [
      { payload: {}, dueAt: dueAt(1) },
      { payload: {}, dueAt: dueAt(2) },
    ]);
    const answer = await own.operator('POST', '/clock', { advance: 'P30D' });
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'clock_fixed']);
    const { now, movingTo } = (await own.operator('GET', '/clock')).json();
    assert.deepEqual([now, movingTo], [dueAt(1).toISOString(), undefined]);
    assert.deepEqual((await findSavedClock(own.ctx.db)).frozenAt, dueAt(1));
    const jobs: { state: string }[] = (await own.operator('GET', '/jobs?kind=test.joined')).json();
    assert.deepEqual(jobs.map(({ state }) => state).sort(), ['done', 'waiting']);
    assert.equal((await own.operator('POST', '/clock', { reset: true })).statusCode, 409);
  });

  it('403: is emptied only with the scope admin, by the operator API and by the console', async () => {
    const own = await makeWorld();
    await own.import(SMALL_FLEET);
    const scopes = ['read', 'clock'];
    const { key } = (await own.operator('POST', '/keys', { name: 'mover', scopes })).json();
    const as = { authorization: `Bearer ${key}` };
    const refused = await own.operator('POST', '/clock', { reset: true }, as);
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'scope_missing']);
    const kept = await own.operator('POST', '/clock', { reset: true }, { ...as, 'idempotency-key': 'again' });
    assert.equal(kept.statusCode, 403);
    const inConsole = (path: string, payload: object, more: Record<string, string> = {}) =>
      own.api.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { 'x-requested-by': 'console', ...more },
        payload,
      });
    const signedIn = await inConsole('/console/v1/sign-in', { operatorKey: key });
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
    assert.equal((await inConsole('/operator/v1/clock', { reset: true }, { cookie })).statusCode, 403);
    assert.equal((await inConsole('/operator/v1/clock', { advance: 'PT1S' }, { cookie })).statusCode, 200);
    assert.equal((await own.operator('POST', '/clock', { advance: 'PT1S' }, as)).statusCode, 200);
    assert.equal((await own.operator('GET', '/accounts')).json().length, 3);
  });

  it('is unchanged if a reset fails', async () => {
    const before = ctx.now();
    await changeTriggers(
      ctx.db,
      sql`create function refuse() returns trigger language plpgsql as 'begin raise ''locked''; end'`,
      sql`create trigger refuse before truncate on device execute function refuse()`,
    );
    const answer = await operator('POST', '/clock', { reset: true });
    await ctx.db.exec(sql`drop function refuse cascade`);
    assert.equal(answer.statusCode, 500);
    assert.equal((await operator('GET', '/clock')).json().now, before.toISOString());
    assert.deepEqual((await findSavedClock(ctx.db)).frozenAt, before);
    assert.ok((await operator('GET', '/export')).json().devices.length > 0);
  });

  it('200: reset ends a move in progress', async () => {
    const own = await makeWorld({ jobs: [slow], settings: { advanceWaitMs: 50 } });
    await enqueueJobs(own.ctx, slow, 'p', [{ payload: {} }]);
    assert.equal((await own.operator('POST', '/clock', { advance: 'P2D' })).statusCode, 202);
    assert.equal((await own.operator('POST', '/clock', { reset: true })).statusCode, 200);
    letSlowEnd();
    const now = (await own.operator('GET', '/clock')).json();
    assert.deepEqual([now.offsetMs, now.movingTo], [0, undefined]);
  });

  // proves clock/reset
  it('200: reset returns to real time and empties the domain, but keeps keys and the audit log', async () => {
    await operator('POST', '/keys', { name: 'kept', scopes: ['read'] });
    assert.equal((await operator('POST', '/clock', { reset: true })).statusCode, 200);
    assert.ok(Math.abs((await operator('GET', '/clock')).json().offsetMs) < 1_000);
    assert.deepEqual((await operator('GET', '/export')).json(), {});
    assert.ok((await operator('GET', '/keys')).json().length > 0);
    assert.ok((await operator('GET', '/audit')).json().length > 0);
  });
});
