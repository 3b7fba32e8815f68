import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import type { EcpdId } from '../../src/kernel/account-name.ts';
import { asUser, CLIENT } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { controlWorker, placeOf } from '../support/worker-server.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld({ runs: true, checksWorkers: true });
const { ctx, api } = world;
const listener = await openListener();

/** Two customers whose rows lie on different workers. */
async function findApart(): Promise<[string, string]> {
  const first = await placeOf(ctx.db, '8000000');
  for (let n = 1; n < 100; n++)
    if ((await placeOf(ctx.db, String(8_000_000 + n))).port !== first.port)
      return ['8000000', String(8_000_000 + n)];
  throw new Error('all profiles are on one worker');
}
const [lost, kept] = await findApart();
const accountOf = (ecpdId: string) => `${ecpdId.padStart(10, '0')}-00001`;
const imeiOf = (ecpdId: string) => (ecpdId === lost ? '990000000000011' : '990000000000029');
const userOf = (ecpdId: string) => ({ username: `u${ecpdId}`, password: `password-${ecpdId}` });
const both = [lost, kept];
await world.import({
  profiles: both.map((ecpdId) => ({ ecpdId })),
  accounts: both.map((ecpdId) => ({ ecpdId, accountName: accountOf(ecpdId) })),
  clients: [CLIENT],
  users: both.map((ecpdId) => ({ ...userOf(ecpdId), accounts: [accountOf(ecpdId)] })),
  plans: [{ code: 'P', name: 'P', kind: 'payAsYouGo', allowanceBytes: 1_000_000 }],
  devices: both.map((ecpdId) => ({ accountName: accountOf(ecpdId), imei: imeiOf(ecpdId), servicePlan: 'P' })),
  listeners: both.map((ecpdId) => ({
    accountName: accountOf(ecpdId),
    serviceName: 'AlertService',
    url: listener.url,
  })),
});
const users = { [lost]: await asUser({ api }, userOf(lost)), [kept]: await asUser({ api }, userOf(kept)) };
const list = (ecpdId: string) =>
  users[ecpdId]!.call('POST', '/m2m/v1/devices/actions/list', { accountName: accountOf(ecpdId) });
let records = 0;
const feed = (ecpdId: string, bytes: number) =>
  world.operator('POST', '/usage', [
    { id: `u${++records}`, kind: 'imei', device: imeiOf(ecpdId), at: ctx.now().toISOString(), bytes },
  ]);
const post = (ecpdId: string, n: number) =>
  postCallbacks(ctx, ecpdId as EcpdId, [
    { accountName: accountOf(ecpdId), serviceName: 'AlertService', requestId: `r${n}`, payload: { n } },
  ]);
const heard = () => listener.heard.map(({ body }) => body['n']);

async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; !(await what()); tries++) {
    assert.ok(tries < 300, 'it takes too long');
    await sleep(100);
  }
}

const worker = await controlWorker(world.databaseUrl, await placeOf(ctx.db, lost));
let isDown = false;
after(() => isDown && worker.start());

describe('two customers on different workers', () => {
  it('have all their rows where their profile is', async () => {
    const [one, other] = [await placeOf(ctx.db, lost), await placeOf(ctx.db, kept)];
    assert.notEqual(one.port, other.port);
  });

  it('are both served while all workers answer', async () => {
    for (const ecpdId of both) assert.equal((await list(ecpdId)).statusCode, 200);
    await post(lost, 1);
    await listener.next(1);
    assert.deepEqual(heard(), [1]);
  });
});

describe('while the worker of one customer is down', () => {
  it('the other is served: calls, callbacks and feeds', async () => {
    worker.kill();
    isDown = true;
    await until(async () => !ctx.db.reachable.has(lost));
    assert.equal((await list(kept)).statusCode, 200);
    await post(kept, 2);
    await listener.next(2);
    assert.deepEqual(heard(), [1, 2]);
    const fed = await feed(kept, 1_000);
    assert.deepEqual([fed.statusCode, fed.json().accepted], [200, 1], fed.body);
  });

  it('503: the customer on it is told to try again', async () => {
    const answer = await list(lost);
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '1'], answer.body);
  });

  it('is named by metrics', async () => {
    const { body } = await api.inject('/metrics');
    assert.match(body, /^linekeeper_database_worker_answers\{worker="[^"]+"\} 0$/m);
  });

  it('503: what every server has a copy of cannot be written', async () => {
    const answer = await world.operator('POST', '/import', {
      devices: [{ accountName: accountOf(kept), imei: '990000000000037' }],
    });
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '1'], answer.body);
  });
});

describe('when the worker is back', () => {
  it('its customer goes on, and has lost nothing', async () => {
    worker.start();
    isDown = false;
    await until(() => ctx.db.reachable.has(lost));
    assert.equal((await list(lost)).json().devices.length, 1);
    await post(lost, 3);
    await listener.next(3);
    assert.deepEqual(heard(), [1, 2, 3]);
    const fed = await feed(lost, 1_000);
    assert.deepEqual([fed.statusCode, fed.json().accepted], [200, 1], fed.body);
  });
});
