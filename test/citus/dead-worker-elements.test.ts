import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { makeElement, silent } from '../../src/features/network/test/scene.ts';
import { openCustomersApart, until } from '../support/customers-apart.ts';
import { controlWorker, placeOf } from '../support/worker-server.ts';

const register = makeElement('hlr');
const scene = await openCustomersApart({
  elements: { served: [{ name: 'hlr', element: register.element, afterwards: false }], openMs: 1 },
});
const { world, accountOf, imeiOf, imsiOf, callAs, one: lost, other: kept } = scene;
const { ctx } = world;

const worker = await controlWorker(world.databaseUrl, await placeOf(ctx.db, lost));
let isDown = false;
after(() => isDown && worker.start());

const ask = (ecpdId: string, action: 'suspend' | 'restore') =>
  callAs(ecpdId)('POST', `/m2m/v1/devices/actions/${action}`, {
    accountName: accountOf(ecpdId),
    devices: [{ deviceIds: [{ id: imeiOf(ecpdId), kind: 'imei' }] }],
  });
const askFor = async (...asked: Parameters<typeof ask>): Promise<string> => {
  const answer = await ask(...asked);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().requestId;
};
const isSuccess = async (ecpdId: string, requestId: string) => {
  const path = `/m2m/v1/accounts/${accountOf(ecpdId)}/requests/${requestId}/status`;
  return (await callAs(ecpdId)('GET', path)).json().status === 'Success';
};
const there = (ecpdId: string) => register.lines.get(imsiOf(ecpdId))?.state;

describe('while the worker of one customer is down, an element', () => {
  let waiting: string;

  it('has the lines of both before', () => until(() => [lost, kept].every((id) => there(id) === 'active')));

  it('gets the orders of the other, whose requests end', async () => {
    register.answers(({ imsi }) => (imsi === imsiOf(lost) ? silent : { outcome: 'done' }));
    waiting = await askFor(lost, 'suspend');
    await until(() =>
      register.orders.some(({ imsi, wanted }) => imsi === imsiOf(lost) && wanted !== 'active'),
    );
    worker.kill();
    isDown = true;
    await until(async () => !ctx.db.servers.isReachable(lost));
    register.answers({ outcome: 'done' });
    for (const [action, state] of [
      ['suspend', 'suspended'],
      ['restore', 'active'],
    ] as const) {
      const requestId = await askFor(kept, action);
      await until(() => isSuccess(kept, requestId));
      assert.equal(there(kept), state);
    }
  });

  it('503: gets no new orders of the first, who is told to try again', async () => {
    assert.equal((await ask(lost, 'restore')).statusCode, 503);
  });

  it('gets the orders of the first when its worker is back', async () => {
    worker.start();
    isDown = false;
    await until(() => ctx.db.servers.isReachable(lost));
    await until(() => isSuccess(lost, waiting));
    assert.equal(there(lost), 'suspended');
  });
});
