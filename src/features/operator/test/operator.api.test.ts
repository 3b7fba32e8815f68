import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { readClockOffset } from '../../../platform/clock-mover.ts';
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
const world = await makeWorld({ jobs: [tick] });
const { operator, ctx } = world;
await world.import(SMALL_FLEET);
const withKey = (key: string, method: string, path: string, body?: unknown) =>
  operator(method, path, body, { authorization: `Bearer ${key}` });

describe('operator keys', () => {
  it('have a name and scopes, are shown once, and end when they are deleted', async () => {
    const made = await operator('POST', '/keys', { name: 'reader', scopes: ['read'] });
    assert.equal(made.statusCode, 201);
    const { key } = made.json();
    assert.equal((await withKey(key, 'GET', '/accounts')).statusCode, 200);
    const refused = await withKey(key, 'POST', '/import', {});
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'scope_missing']);
    const listed = await operator('GET', '/keys');
    assert.ok(listed.json()[0].name === 'reader' && !listed.body.includes(key));
    await operator('DELETE', '/keys/reader');
    assert.equal((await withKey(key, 'GET', '/accounts')).statusCode, 401);
  });

  it('409: are not given twice under one name, nor under the name of the first', async () => {
    await operator('POST', '/keys', { name: 'twice', scopes: ['read'] });
    for (const name of ['twice', 'first']) {
      assert.equal((await operator('POST', '/keys', { name, scopes: ['read'] })).statusCode, 409);
    }
  });

  it('400: need scopes that exist', async () =>
    assert.equal((await operator('POST', '/keys', { name: 'x', scopes: ['everything'] })).statusCode, 400));

  it('with the scope admin may do what any other may', async () => {
    const { key } = (await operator('POST', '/keys', { name: 'boss', scopes: ['admin'] })).json();
    assert.equal((await withKey(key, 'GET', '/export')).statusCode, 200);
  });
});

describe('the audit log', () => {
  it('holds every operator call with the name of the key, what it did, to what, and how it ended', async () => {
    const { key } = (await operator('POST', '/keys', { name: 'auditor', scopes: ['read', 'users'] })).json();
    await withKey(key, 'GET', `/accounts/${ACCOUNT}`);
    await withKey(key, 'POST', '/users/ghost/unlock');
    await withKey(key, 'POST', '/import', {});
    const entries = (await operator('GET', '/audit?actor=auditor')).json();
    assert.deepEqual(
      entries.map((entry: Record<string, unknown>) => [
        entry['action'],
        entry['target'],
        entry['accountName'],
        entry['status'],
      ]),
      [
        ['operatorImport', null, null, 403],
        ['operatorUnlockUser', 'ghost', null, 404],
        ['operatorReadAccount', ACCOUNT, ACCOUNT, 200],
      ],
    );
    assert.ok(entries[0].requestId && entries[0].at);
  });

  it('pages backwards in time without gaps', async () => {
    for (let i = 0; i < 5; i++) await operator('GET', '/clock');
    const ids: string[] = [];
    let page: string | undefined;
    do {
      const answer = await operator(
        'GET',
        `/audit?action=operatorReadClock&limit=2${page === undefined ? '' : `&page=${page}`}`,
      );
      ids.push(...answer.json().map(({ id }: { id: string }) => id));
      page = answer.headers['x-next'] as string | undefined;
    } while (page !== undefined);
    assert.ok(ids.length >= 5);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => Number(b) - Number(a)),
    );
  });
});

describe('accounts and devices', () => {
  it('are listed in pages that X-Next joins', async () => {
    const first = await operator('GET', '/accounts?limit=2');
    assert.equal(first.json().length, 2);
    const second = await operator('GET', `/accounts?limit=2&page=${first.headers['x-next']}`);
    assert.deepEqual([second.json().length, second.headers['x-next']], [1, undefined]);
    const devices = await operator('GET', `/accounts/${ACCOUNT}/devices`);
    assert.deepEqual(
      devices.json().map(({ imei }: { imei: string }) => imei),
      ['990000000000011'],
    );
  });

  it('404 and 400: unknown ones and malformed identifiers are told apart', async () => {
    assert.equal((await operator('GET', '/accounts/1-1')).statusCode, 404);
    assert.equal((await operator('GET', '/accounts/nonsense/devices')).statusCode, 404);
    assert.equal((await operator('GET', '/devices/imei/990000000999999')).statusCode, 404);
    assert.equal((await operator('GET', '/devices/imei/12')).statusCode, 400);
    assert.equal((await operator('GET', '/devices/phone/12')).statusCode, 400);
  });

  it('lose their coordinates when the operator erases them', async () => {
    const position = { lat: 32.9, lon: -97.1 };
    const entry = { accountName: ACCOUNT, imei: '990000000000011', simulation: { online: true, position } };
    await world.import({ devices: [entry] });
    assert.deepEqual((await operator('DELETE', '/devices/imei/990000000000011/positions')).json(), {
      erased: 1,
    });
    assert.deepEqual((await operator('GET', '/devices/imei/990000000000011')).json().simulation, {
      online: true,
    });
    await world.import({ devices: [entry] });
    assert.deepEqual((await operator('DELETE', `/accounts/${ACCOUNT}/positions`)).json(), { erased: 1 });
  });

  it('go with all that belongs to them, and leave the others alone', async () => {
    await world.import({
      devices: [{ accountName: ACCOUNT, imei: '990000000000078', iccid: '89000000000000000078' }],
    });
    assert.equal((await operator('DELETE', '/devices/imei/990000000000078')).statusCode, 200);
    assert.equal((await operator('GET', '/devices/iccid/89000000000000000078')).statusCode, 404);
    const user = await asUser(world);
    assert.equal((await operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    assert.equal((await user.call('GET', `/m2m/v1/plans/${ACCOUNT}`)).statusCode, 400);
    const { accounts, devices, consents } = (await operator('GET', '/export')).json();
    const names = [...accounts, ...devices, ...consents].map(
      ({ accountName }: { accountName: string }) => accountName,
    );
    assert.ok(names.includes(STRANGER) && !names.includes(ACCOUNT));
    await world.import(SMALL_FLEET);
  });
});

describe('the clock', () => {
  const DAY_MS = 86_400_000;
  const enqueue = (job: typeof tick, days: readonly number[]) =>
    enqueueJobs(
      ctx,
      job,
      'p',
      days.map((day) => ({ payload: {}, dueAt: new Date(ctx.now().getTime() + day * DAY_MS) })),
    );

  it('200: advances through everything that falls due, each at its own time', async () => {
    ticks = [];
    const start = ctx.now().getTime();
    await enqueue(tick, [1, 2, 5]);
    const answer = await operator('POST', '/clock', { advance: 'P3D' });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.json().ran, 2);
    assert.deepEqual(ticks, [start + DAY_MS, start + 2 * DAY_MS]);
    assert.ok(Math.abs(new Date(answer.json().now).getTime() - (start + 3 * DAY_MS)) < 1_000);
  });

  it('200: is set to a time that is not before now', async () => {
    const to = new Date(ctx.now().getTime() + 30 * DAY_MS);
    assert.equal((await operator('POST', '/clock', { set: to.toISOString() })).statusCode, 200);
    const back = await operator('POST', '/clock', { set: '2020-01-01T00:00:00Z' });
    assert.deepEqual([back.statusCode, back.json().code], [400, 'clock_backwards']);
  });

  it('202: goes on by itself when the work takes longer than the call waits, and refuses another move meanwhile', async () => {
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

  for (const body of [{ advance: '5 minutes' }, { set: 'soon' }, {}, { advance: 5 }]) {
    it(`400: cannot read ${JSON.stringify(body)}`, async () =>
      assert.equal((await operator('POST', '/clock', body)).statusCode, 400));
  }

  it('409: stands outside the sandbox, and with a second process', async () => {
    const production = await makeWorld({
      env: {
        DATABASE_URL: 'postgres://unused/x',
        LINEKEEPER_SECRET_KEY: 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        LINEKEEPER_OPERATOR_KEY: 'operator-key-for-tests',
      },
    });
    const crowded = await makeWorld({ otherNodes: 1 });
    for (const { operator: ask } of [production, crowded]) {
      const answer = await ask('POST', '/clock', { advance: 'PT1S' });
      assert.deepEqual([answer.statusCode, answer.json().code], [409, 'clock_fixed']);
    }
  });

  it('is as it was when a reset fails', async () => {
    const clock = async () => (await operator('GET', '/clock')).json().offsetMs;
    const before = await clock();
    await ctx.db.exec(
      sql`create function refuse() returns trigger language plpgsql as 'begin raise ''locked''; end'`,
    );
    await ctx.db.exec(sql`create trigger refuse before truncate on device execute function refuse()`);
    const answer = await operator('POST', '/clock', { reset: true });
    await ctx.db.exec(sql`drop function refuse cascade`);
    assert.equal(answer.statusCode, 500);
    assert.ok(before !== 0 && Math.abs((await clock()) - before) < 5_000);
    assert.ok(Math.abs((await readClockOffset(ctx.db)) - before) < 5_000);
    assert.ok((await operator('GET', '/export')).json().devices.length > 0);
  });

  it('200: reset ends a move that is still under way', async () => {
    const own = await makeWorld({ jobs: [slow], settings: { advanceWaitMs: 50 } });
    await enqueueJobs(own.ctx, slow, 'p', [{ payload: {} }]);
    assert.equal((await own.operator('POST', '/clock', { advance: 'P2D' })).statusCode, 202);
    assert.equal((await own.operator('POST', '/clock', { reset: true })).statusCode, 200);
    letSlowEnd();
    const now = (await own.operator('GET', '/clock')).json();
    assert.deepEqual([now.offsetMs, now.movingTo], [0, undefined]);
  });

  it('200: reset goes back to real time and empties the domain, but keeps keys and audit', async () => {
    assert.equal((await operator('POST', '/clock', { reset: true })).statusCode, 200);
    assert.ok(Math.abs((await operator('GET', '/clock')).json().offsetMs) < 1_000);
    assert.deepEqual((await operator('GET', '/export')).json(), {});
    assert.ok((await operator('GET', '/keys')).json().length > 0);
    assert.ok((await operator('GET', '/audit')).json().length > 0);
  });
});

describe('pauses', () => {
  it('of trigger actions and of one listener can be set and lifted', async () => {
    await world.import({
      ...SMALL_FLEET,
      listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: 'http://127.0.0.1:9000/x' }],
    });
    assert.deepEqual((await operator('POST', '/actions/pause')).json(), { paused: true });
    assert.deepEqual((await operator('GET', '/actions')).json(), { paused: true });
    assert.deepEqual((await operator('POST', '/actions/resume')).json(), { paused: false });
    const listener = { accountName: ACCOUNT, serviceName: 'alertservice' };
    assert.equal((await operator('POST', '/callbacks/pause', listener)).statusCode, 200);
    assert.equal((await operator('POST', '/callbacks/resume', listener)).statusCode, 200);
    assert.equal(
      (await operator('POST', '/callbacks/pause', { ...listener, serviceName: 'StateService' })).statusCode,
      404,
    );
  });
});

describe('the simulator', () => {
  it('409: where nobody hosts one it can be neither read nor set', async () => {
    for (const answer of [
      await operator('GET', '/simulator'),
      await operator('PATCH', '/simulator', { running: true }),
    ])
      assert.deepEqual([answer.statusCode, answer.json().code], [409, 'simulator_absent']);
  });

  it('400: a speed below 1 is none', async () =>
    assert.equal((await operator('PATCH', '/simulator', { speed: 0 })).statusCode, 400));
});
