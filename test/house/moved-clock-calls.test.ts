import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { clockOf, makeRunning, move, ok, post, SLACK_MS } from '../support/moving-clock.ts';

const IMEI = SMALL_FLEET.devices[0]!.imei;
const ABSENT_AND_TELLING = ['990000000000102', '990000000000110'];

describe('a move of the clock', () => {
  // proves clock/calls-meanwhile
  it('lets calls go on: what they bring is dated by a clock that never falls behind real time', async () => {
    const world = await makeRunning('never');
    for (let n = 0; n < 4; n++) await post(world, n);
    const { offsetMs } = await clockOf(world);
    let moving = true;
    const rejected: unknown[] = [];
    const feed = async () => {
      for (let n = 0; moving; n++) {
        const at = new Date(Date.now() + offsetMs).toISOString();
        const record = { id: `f-${n}`, kind: 'imei', device: IMEI, at, bytes: 1 };
        rejected.push(...ok(await world.operator('POST', '/usage', JSON.stringify(record))).json().rejected);
        await sleep(20);
      }
    };
    const feeding = feed();
    const { behindMs } = await move(world, { advance: 'PT10S' });
    moving = false;
    await feeding;
    assert.deepEqual(rejected, []);
    assert.ok(behindMs < SLACK_MS, `the clock was ${behindMs} ms behind`);
  });

  // proves clock/calls-meanwhile
  it('ends while callers never rest, and has lived through what was there', async () => {
    const world = await makeRunning();
    const rules = [{ absent: 'PT20M' }, { when: { field: 't', operator: 'gt', value: 1 }, for: 'PT1S' }];
    await world.import({
      devices: ABSENT_AND_TELLING.map((imei) => ({ accountName: ACCOUNT, imei })),
      rules: ABSENT_AND_TELLING.map((deviceImei, n) => ({
        ...{ accountName: ACCOUNT, deviceImei, name: `rule ${n}` },
        ...{ rulesyntax: 'json', rulechain: rules[n] },
      })),
    });
    // Slow, so that a callback is waiting for the listener at every moment.
    let moving = true;
    world.listener.answer = 'never';
    const answering = (async () => {
      while (moving) {
        await sleep(150);
        world.listener.release(200);
        world.listener.answer = 'never';
      }
    })();
    const calling = [0, 1, 2, 3].map(async (n) => {
      while (moving) await post(world, n);
    });
    // The effects of these readings are due at once: the rule was met for a second, an hour ago.
    const telling = (async () => {
      for (let n = 0; moving; n++) {
        const at = new Date(Date.now() - 3_600_000).toISOString();
        const reading = {
          kind: 'imei',
          device: ABSENT_AND_TELLING[1],
          at,
          values: { t: n % 2 === 0 ? 2 : 0 },
        };
        ok(await world.operator('POST', '/readings', JSON.stringify(reading)));
        await sleep(5);
      }
    })();
    await sleep(300);
    const before = (await clockOf(world)).offsetMs;
    await move(world, { advance: 'PT1H' }).finally(() => {
      moving = false;
      world.listener.release(200);
    });
    await Promise.all([answering, telling, ...calling]);
    assert.equal((await clockOf(world)).offsetMs, before + 3_600_000);
    const { call } = await asUser(world);
    const asked = { accountname: ACCOUNT, resourceidentifier: { imei: Number(ABSENT_AND_TELLING[0]) } };
    const alerts = ok(await call('POST', '/dm/v1/smartAlerts/actions/query', asked)).json();
    assert.deepEqual(
      alerts.map(({ state }: { state: string }) => state),
      ['raised'],
    );
  });
});
