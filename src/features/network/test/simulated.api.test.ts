import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { byImei, imei, lineOf } from './scene.ts';

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  users: [{ ...USER, accounts: [ACCOUNT] }, ...SMALL_FLEET.users.slice(1)],
  devices: Array.from({ length: 5 }, (_, n) => lineOf(n)),
});
const suspend = async (...numbers: number[]) =>
  (
    await (
      await asUser(world)
    ).call('POST', '/m2m/v1/devices/actions/suspend', {
      accountName: ACCOUNT,
      devices: byImei(...numbers),
    })
  ).json().requestId as string;
const status = async (requestId: string) =>
  (await (await asUser(world)).call('GET', `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/status`)).json()
    .status;
const settle = async () => {
  for (let n = 0; n < 4; n++) {
    await world.engine.settle();
    await world.orders?.settle();
  }
};
const pass = async (ms: number) => {
  world.pass(ms);
  await settle();
};
const simulate = (n: number, orders: object | null) =>
  world.operator('PATCH', `/devices/imei/${imei(n)}/simulation`, { orders });

describe('the simulated network', () => {
  it('confirms at once and writes no order', async () => {
    const requestId = await suspend(0);
    await world.engine.settle();
    assert.equal(await status(requestId), 'Success');
    assert.equal((await world.ctx.db.many(sql`select 1 from network_order`)).length, 0);
  });

  it('carries out the orders of one device with a delay in domain time', async () => {
    assert.equal((await simulate(1, { delayMs: 60_000 })).statusCode, 200);
    const requestId = await suspend(1);
    await settle();
    await pass(59_000);
    assert.equal(await status(requestId), 'Pending');
    await pass(1_000);
    assert.equal(await status(requestId), 'Success');
  });

  it('refuses orders with the configured reason', async () => {
    await simulate(2, { refusal: 'SIM is barred' });
    const requestId = await suspend(2);
    await settle();
    assert.equal(await status(requestId), 'Failure');
  });

  it('leaves all orders unanswered until an hour has passed', async () => {
    const answer = await world.operator('PATCH', '/network/simulation', { orders: { silent: true } });
    assert.deepEqual(answer.json(), { condition: 'normal', orders: { silent: true } });
    const requestId = await suspend(3);
    await settle();
    await pass(3_599_000);
    assert.equal(await status(requestId), 'Pending');
    await pass(2_000);
    assert.equal(await status(requestId), 'Failure');
    await world.operator('PATCH', '/network/simulation', { orders: null });
    assert.deepEqual((await world.operator('GET', '/network/simulation')).json(), { condition: 'normal' });
  });

  it('lets a suspension end on schedule only once the network has confirmed it', async () => {
    await simulate(4, { delayMs: 1_000 });
    const requestId = await suspend(4);
    await settle();
    await pass(1_000);
    assert.equal(await status(requestId), 'Success');
    const stateOf = async () =>
      (await world.ctx.db.one<{ state: string }>(sql`select state from device where imei = ${imei(4)}`))
        .state;
    assert.equal(await stateOf(), 'suspend');
    await pass(90 * 86_400_000);
    assert.equal(await stateOf(), 'suspend');
    await pass(1_000);
    assert.equal(await stateOf(), 'active');
  });
});
