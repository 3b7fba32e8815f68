import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD, MINUTE_MS } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import { breakWrites, metricOf, staysReady, untilFailing, untilReady } from '../support/readiness.ts';
import { MAX_AGE_MS, makeScene } from '../support/readiness-scene.ts';

const isReady = (check: string) => `linekeeper_ready{check="${check}"}`;
/** Long enough to be noticed several times. */
const WHILE_MS = 3 * MAX_AGE_MS;

const scene = await makeScene();

describe('due work that no process does', () => {
  const SILENT = {
    callbacks: { table: 'callback_lane', on: 'insert or update', silently: true },
    mail: { table: 'notification_lane', on: 'insert or update', silently: true },
    jobs: { table: 'job', on: 'update', silently: true },
  };

  it('GET /health/ready 503: is named with its age while there are free slots, until it is done', async () => {
    scene.listener.answer = 200;
    const repairs = await Promise.all(Object.values(SILENT).map((how) => breakWrites(scene.ctx.db, how)));
    await Promise.all([scene.callbacks(1, 'DeviceUsage'), scene.notification(), scene.jobs(1)]);
    scene.pass(365 * 24 * 60 * MINUTE_MS);
    const age = (kind: string) => metricOf(scene.ask, `linekeeper_due_work_oldest_seconds{kind="${kind}"}`);
    for (const kind of Object.keys(SILENT)) {
      const { code, failing } = await untilFailing(scene.ask, `${kind}.due`);
      assert.equal(code, 503);
      assert.match(
        failing.reason,
        /^the oldest has waited for \d+ s, no process does it, and this one has a free place/,
      );
      assert.equal(await metricOf(scene.ask, isReady(`${kind}.due`)), 0);
      const seconds = (await age(kind))!;
      assert.ok(
        seconds >= MAX_AGE_MS / 1_000 && seconds < 3_600,
        'the clock has jumped by a year, and nothing waited that long',
      );
    }
    for (const repair of repairs) await repair();
    await untilReady(scene.ask);
    for (const kind of Object.keys(SILENT)) assert.equal(await age(kind), 0);
  });

  it('GET /health/ready 200: if its listener is paused or silent, another process holds it, or its profile has half of the slots', async () => {
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

  it('GET /health/ready 200: while the clock moves, however long that takes', async () => {
    await untilReady(scene.ask);
    const repair = await breakWrites(scene.ctx.db, SILENT.jobs);
    await scene.jobs(1);
    const moved = scene.operator('POST', '/clock', { advance: 'PT1H' });
    const isMoving = async () => (await scene.operator('GET', '/clock')).json().movingTo !== undefined;
    while (!(await isMoving())) await nextTurn();
    // Due work may have waited too long even before the move began.
    await untilReady(scene.ask);
    await staysReady(scene.ask, WHILE_MS);
    assert.ok(await isMoving());
    await repair();
    assert.equal((await moved).statusCode, 200);
  });
});
