import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { postNotifications } from '../../src/features/notifications/index.ts';
import { inTx } from '../../src/platform/context.ts';
import { sql, trusted } from '../../src/platform/db/sql.ts';
import { enqueueJobs } from '../../src/platform/jobs/enqueue.ts';
import { defineJob } from '../../src/platform/jobs/job.ts';
import { ECPD, MINUTE_MS } from '../support/callback-scene.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import {
  breakWrites,
  metricOf,
  startWork,
  staysReady,
  untilFailing,
  untilReady,
} from '../support/readiness.ts';
import { makeWorld } from '../support/world.ts';

/** Jobs of this kind run until the test lets them go. */
function heldJobs() {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const job = defineJob({
    kind: 'test.held',
    schema: Type.Object({}),
    attemptsMax: 100,
    commits: 'steps',
    waitsOutside: true,
    async run() {
      await gate.promise;
      return undefined;
    },
  });
  return {
    job,
    hold: () => {
      gate = Promise.withResolvers();
    },
    letGo: () => gate.resolve(),
  };
}

const MAX_AGE_MS = 1_000;
/** Long enough to have been noticed several times over. */
const WHILE_MS = 3 * MAX_AGE_MS;

async function makeScene() {
  const { job, hold, letGo } = heldJobs();
  const world = await makeWorld({ jobs: [job], settings: { dueWorkMaxAgeMs: MAX_AGE_MS } });
  await world.import(SMALL_FLEET);
  const listener = await openListener();
  const services = ['AlertService', 'CarrierService', 'DeviceService', 'DeviceUsage'] as const;
  await world.import({
    listeners: services.map((serviceName) => ({ accountName: ACCOUNT, serviceName, url: listener.url })),
  });
  await startWork(world);
  let n = 0;
  return {
    ...world,
    ask: (path: string) => world.api.inject(path),
    listener,
    hold,
    letGo,
    callbacks: (count: number, serviceName: (typeof services)[number] = 'AlertService') =>
      inTx(world.ctx, (tx) =>
        postCallbacks(
          tx,
          ECPD,
          Array.from({ length: count }, () => ({
            ...{ accountName: ACCOUNT, serviceName, requestId: `r-${++n}` },
            payload: {},
          })),
        ),
      ),
    notification: () =>
      inTx(world.ctx, (tx) =>
        postNotifications(tx, ECPD, [
          {
            ...{ accountName: ACCOUNT, channel: 'mail', to: ['somebody@example.com'], dedupeKey: `k-${++n}` },
            subject: 'subject',
            text: 'text',
          },
        ]),
      ),
    jobs: (count: number, ecpdId = ECPD) =>
      enqueueJobs(
        world.ctx,
        job,
        ecpdId,
        Array.from({ length: count }, () => ({ payload: {} })),
      ),
    changeRule: () =>
      world.ctx.db.exec(sql`
        insert into rule_change (ecpd_id, account_name, rule_id, device_id)
        values (${ECPD}, ${ACCOUNT}, gen_random_uuid(), gen_random_uuid())`),
  };
}
type Scene = Awaited<ReturnType<typeof makeScene>>;

const LEASED = 'new.lease_token = old.lease_token and new.lease_until > statement_timestamp()';

/** What a pass writes, so that it fails, and what there must be to do. */
interface Failure {
  readonly how: Parameters<typeof breakWrites>[1];
  readonly arrange: (scene: Scene) => Promise<unknown>;
}
const failures: Record<string, Record<string, Failure>> = {
  'taking up what is due': {
    'callbacks.claim': {
      how: { table: 'callback_lane', on: 'insert or update' },
      arrange: (scene) => scene.callbacks(1),
    },
    'notifications.claim': {
      how: { table: 'notification_lane', on: 'insert or update' },
      arrange: (scene) => scene.notification(),
    },
    'jobs.claim': { how: { table: 'job', on: 'update' }, arrange: (scene) => scene.jobs(1) },
    'rules.follow': { how: { table: 'rule_change', on: 'delete' }, arrange: (scene) => scene.changeRule() },
  },
  'writing down what was done': {
    'callbacks.record': {
      how: { table: 'callback_attempt', on: 'insert' },
      arrange: (scene) => scene.callbacks(1),
    },
    'notifications.send': {
      how: { table: 'notification_recipient', on: 'update' },
      arrange: (scene) => scene.notification(),
    },
    'jobs.record': {
      how: { table: 'job', on: 'update', when: "new.state <> 'running'" },
      arrange: (scene) => scene.jobs(4),
    },
  },
  'keeping what is under way': {
    'callbacks.renew': {
      how: { table: 'callback_lane', on: 'update', when: LEASED },
      async arrange(scene) {
        scene.listener.answer = 'never';
        await scene.callbacks(1);
      },
    },
    'jobs.renew': {
      how: { table: 'job', on: 'update', when: LEASED },
      async arrange(scene) {
        scene.hold();
        await scene.jobs(1);
      },
    },
  },
};

const inRow = (check: string) => `linekeeper_loop_failed_passes{loop="${check}"}`;
const isReady = (check: string) => `linekeeper_ready{check="${check}"}`;

const scene = await makeScene();

describe('GET /health/ready 503: work that fails on three passes in a row', () => {
  for (const [what, of] of Object.entries(failures))
    it(`${what} is named in the answer and the metrics, and is over with the first pass that succeeds`, async () => {
      await untilReady(scene.ask);
      const repairs = await Promise.all(Object.values(of).map(({ how }) => breakWrites(scene.ctx.db, how)));
      for (const { arrange } of Object.values(of)) await arrange(scene);
      for (const check of Object.keys(of)) {
        const { code, status, reason, failing } = await untilFailing(scene.ask, check);
        assert.deepEqual([code, status], [503, 'not ready']);
        // The words of the failure hold the row.
        assert.match(failing.reason, /^\d+ passes in a row have failed: DatabaseError P0001$/);
        assert.ok(reason!.includes(`${check}: ${failing.reason}`));
        assert.equal(await metricOf(scene.ask, isReady(check)), 0, check);
        assert.ok((await metricOf(scene.ask, inRow(check)))! >= 3, check);
      }
      for (const repair of repairs) await repair();
      scene.listener.release(200);
      scene.letGo();
      await untilReady(scene.ask);
      for (const check of Object.keys(of))
        assert.deepEqual(
          [await metricOf(scene.ask, isReady(check)), await metricOf(scene.ask, inRow(check))],
          [1, 0],
        );
    });

  it('reading what is to be sent is named too, where lanes are held in vain', async () => {
    const rename = (from: string, to: string) =>
      scene.ctx.db.exec(sql`${trusted(`alter table callback_message rename column ${from} to ${to}`)}`);
    await untilReady(scene.ask);
    scene.listener.answer = 500;
    const heard = scene.listener.heard.length;
    await scene.callbacks(1);
    await scene.listener.next(heard + 1);
    await rename('order_key', 'hidden');
    scene.pass(5 * MINUTE_MS);
    await untilFailing(scene.ask, 'callbacks.read');
    await rename('hidden', 'order_key');
    await untilReady(scene.ask);
  });
});

describe('due work that nobody does', () => {
  const SILENT = {
    callbacks: { table: 'callback_lane', on: 'insert or update', silently: true },
    mail: { table: 'notification_lane', on: 'insert or update', silently: true },
    jobs: { table: 'job', on: 'update', silently: true },
  };

  it('GET /health/ready 503: is named with its age while there is room for it, until it is done', async () => {
    scene.listener.answer = 200;
    const repairs = await Promise.all(Object.values(SILENT).map((how) => breakWrites(scene.ctx.db, how)));
    await Promise.all([scene.callbacks(1, 'DeviceUsage'), scene.notification(), scene.jobs(1)]);
    scene.pass(365 * 24 * 60 * MINUTE_MS);
    const age = (kind: string) => metricOf(scene.ask, `linekeeper_due_work_oldest_seconds{kind="${kind}"}`);
    for (const kind of Object.keys(SILENT)) {
      const { code, failing } = await untilFailing(scene.ask, `${kind}.due`);
      assert.equal(code, 503);
      assert.match(failing.reason, /^the oldest has waited for \d+ s, nobody does it, and there is room/);
      assert.equal(await metricOf(scene.ask, isReady(`${kind}.due`)), 0);
      const seconds = (await age(kind))!;
      assert.ok(
        seconds >= MAX_AGE_MS / 1_000 && seconds < 3_600,
        'the clock has jumped by a year, and nobody waited',
      );
    }
    for (const repair of repairs) await repair();
    await untilReady(scene.ask);
    for (const kind of Object.keys(SILENT)) assert.equal(await age(kind), 0);
  });

  it('GET /health/ready 200: for its listener is paused or never answers, another process holds it, or its profile has its half of the places', async () => {
    await untilReady(scene.ask);
    const paused = { accountName: ACCOUNT, serviceName: 'CarrierService' };
    assert.equal((await scene.operator('POST', '/callbacks/pause', paused)).statusCode, 200);
    assert.equal((await scene.operator('POST', '/actions/pause')).statusCode, 200);
    await scene.ctx.db.exec(sql`
      insert into callback_lane (ecpd_id, account_name, service_name, lease_token, lease_until)
      values (${ECPD}, ${ACCOUNT}, 'DeviceService', gen_random_uuid(), clock_timestamp() + interval '1 hour')`);
    scene.listener.answer = 'never';
    scene.hold();
    const heard = scene.listener.heard.length;
    await scene.callbacks(1_000);
    await scene.callbacks(1, 'CarrierService');
    await scene.callbacks(1, 'DeviceService');
    await scene.jobs(30);
    scene.pass(5 * MINUTE_MS);
    await scene.listener.next(heard + 1);
    await staysReady(scene.ask, WHILE_MS);
    const { n } = await scene.ctx.db.one<{ n: number }>(
      sql`select count(*)::int as n from job where state = 'waiting' and due_at <= ${scene.ctx.now()}`,
    );
    assert.equal(n, 22, 'eight of the sixteen places are its own');
    scene.listener.release(200);
    scene.letGo();
    await scene.ctx.db.exec(sql`delete from callback_lane where service_name = 'DeviceService'`);
    await scene.operator('POST', '/callbacks/resume', paused);
  });

  it('GET /health/ready 200: while the clock is moved, for however long that takes', async () => {
    await untilReady(scene.ask);
    const repair = await breakWrites(scene.ctx.db, SILENT.jobs);
    await scene.jobs(1);
    const moved = scene.operator('POST', '/clock', { advance: 'PT1H' });
    const isMoving = async () => (await scene.operator('GET', '/clock')).json().movingTo !== undefined;
    while (!(await isMoving()));
    // What was due may have waited too long already before the move began.
    await untilReady(scene.ask);
    await staysReady(scene.ask, WHILE_MS);
    assert.ok(await isMoving());
    await repair();
    assert.equal((await moved).statusCode, 200);
  });
});
