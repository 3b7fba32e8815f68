import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD, MINUTE_MS, makeScene } from '../support/callback-scene.ts';
import { ACCOUNT } from '../support/fleet.ts';
import type { World } from '../support/world.ts';

async function metricsOf({ api }: Pick<World, 'api'>) {
  const text = (await api.inject('/metrics')).body;
  const value = (series: string) => {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length));
  };
  return { text, value };
}

describe('the metrics of callbacks', () => {
  it('count attempts by outcome and claims of lanes, and only increase', async () => {
    const scene = await makeScene(500);
    await scene.post({});
    await scene.delivery.settle();
    scene.listener.answer = 200;
    scene.pass(5 * MINUTE_MS);
    await scene.delivery.settle();
    for (const round of [1, 2]) {
      const { text, value } = await metricsOf(scene);
      assert.match(text, /^# TYPE linekeeper_callback_attempts_total counter$/m);
      assert.match(text, /^# TYPE linekeeper_callback_lane_claims_total counter$/m);
      assert.equal(value('linekeeper_callback_attempts_total{outcome="refused"}'), 1, `${round}`);
      assert.equal(value('linekeeper_callback_attempts_total{outcome="acknowledged"}'), 1, `${round}`);
      assert.equal(value('linekeeper_callback_attempts_total{outcome="unanswered"}'), 0, `${round}`);
      assert.equal(value('linekeeper_callback_lane_claims_total{lane="takenOver"}'), 0, `${round}`);
      assert.ok(value('linekeeper_callback_lane_claims_total{lane="free"}')! >= 1);
    }
  });

  it("count a dead worker's lane as taken over", async () => {
    const scene = await makeScene();
    await scene.ctx.db.exec(sql`
      insert into callback_lane (ecpd_id, account_name, service_name, lease_token, lease_until)
      values (${ECPD}, ${ACCOUNT}, 'AlertService', gen_random_uuid(), clock_timestamp() - interval '1 s')`);
    await scene.post({});
    await scene.delivery.settle();
    const { value } = await metricsOf(scene);
    assert.equal(value('linekeeper_callback_lane_claims_total{lane="takenOver"}'), 1);
  });

  it('distinguish due callbacks from those waiting for another attempt and those held back by a paused listener', async () => {
    const scene = await makeScene(500);
    const states = async () => {
      const { value } = await metricsOf(scene);
      return [
        ...['due', 'later', 'paused'].map((state) => value(`linekeeper_callbacks_waiting{state="${state}"}`)),
        value('linekeeper_callback_oldest_seconds{state="due"}'),
      ];
    };
    const listener = { accountName: ACCOUNT, serviceName: 'AlertService' };
    await scene.post({});
    scene.pass(MINUTE_MS);
    assert.deepEqual(await states(), [1, 0, 0, 60]);
    await scene.operator('POST', '/callbacks/pause', listener);
    assert.deepEqual(await states(), [0, 0, 1, 0], 'a paused listener is no backlog');
    await scene.operator('POST', '/callbacks/resume', listener);
    await scene.delivery.settle();
    assert.deepEqual(await states(), [0, 1, 0, 0]);
  });

  it('leave out values that the database cannot give, and still answer', async () => {
    const scene = await makeScene();
    await scene.ctx.db.exec(sql`alter table callback_pending rename to callback_hidden`);
    const { text, value } = await metricsOf(scene);
    assert.doesNotMatch(text, /^linekeeper_callbacks_waiting\{/m);
    assert.equal(value('linekeeper_callback_load{what="lanes"}'), 0);
  });
});
