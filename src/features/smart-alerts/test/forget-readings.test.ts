import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { forgetReadings } from '../jobs.ts';
import { at, ECPD, hotter, imeiOf, MINUTE, makeScene } from './scene.ts';

const DAY_MINUTES = 24 * 60;
const { world, withRule, feed, story, deviceIdOf, feedText } = await makeScene();
const { db } = world.ctx;
const run = { jobId: '1', ecpdId: '', attempt: 1, signal: new AbortController().signal };
const forget = () => forgetReadings(30).run(world.ctx, {}, run);
const knownOf = async (n: number) =>
  db.maybe<{ at: Date; known: object }>(
    sql`select at, known from device_reading where ecpd_id = ${ECPD} and device_id = ${await deviceIdOf(n)}`,
  );

// proves rules/kept-readings
describe('the readings of devices', () => {
  it('are erased after the configured number of days, except for their time; newer values stay', async () => {
    const old = await withRule(hotter(30));
    const fresh = await withRule(hotter(30));
    await feed(old, [0, 31]);
    await feed(fresh, [5, 31]);
    await forget();
    assert.deepEqual((await knownOf(old))?.known, { t: 31 });
    world.pass(30 * DAY_MINUTES * MINUTE - 2 * MINUTE);
    await forget();
    const [gone, kept] = [await knownOf(old), await knownOf(fresh)];
    assert.deepEqual([gone?.known, kept?.known], [{}, { t: 31 }]);
    assert.equal(gone?.at.toISOString(), at(0));
  });

  it('are not reported as erased by an interrupted run', async () => {
    const n = await withRule(hotter(30));
    await feed(n, [0, 31]);
    const signal = AbortSignal.abort(new Error('the process is stopping'));
    await assert.rejects(
      async () => forgetReadings(30).run(world.ctx, {}, { ...run, signal }),
      /is stopping/,
    );
  });

  it('are still duplicates when sent again, and rules continue with the next reading', async () => {
    const n = await withRule({ when: hotter(30), absent: 'P40D' });
    const start = (world.clock.now().getTime() - Date.parse(at(0))) / MINUTE;
    await feed(n, [start, 10]);
    world.pass(31 * DAY_MINUTES * MINUTE);
    await forget();
    assert.deepEqual((await knownOf(n))?.known, {});
    const again = await feedText(
      JSON.stringify([{ kind: 'imei', device: imeiOf(n), at: at(start), values: { t: 10 } }]),
    );
    assert.deepEqual([again.json().accepted, again.json().duplicates], [0, 1]);
    world.pass(9 * DAY_MINUTES * MINUTE);
    await world.watcher.settle();
    const absence = start + 40 * DAY_MINUTES;
    assert.deepEqual(await story(n), [[absence, null]]);
    await feed(n, [absence + 1, 31]);
    assert.deepEqual(await story(n), [
      [absence, absence + 1],
      [absence + 1, null],
    ]);
  });
});
