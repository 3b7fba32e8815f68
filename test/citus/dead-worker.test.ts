import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openCustomersApart, until } from '../support/customers-apart.ts';
import { controlWorker, placeOf } from '../support/worker-server.ts';

const scene = await openCustomersApart();
const { world, listener, list, feed, post, heard, accountOf, one: lost, other: kept } = scene;
const { ctx, api } = world;
const both = [lost, kept];

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
    await until(async () => !ctx.db.servers.isReachable(lost));
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

  it('is named by the operator API', async () => {
    const { workers } = (await world.operator('GET', '/database')).json();
    assert.deepEqual(workers.map(({ answers }: { answers: boolean }) => answers).sort(), [false, true]);
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
    await until(() => ctx.db.servers.isReachable(lost));
    assert.equal((await list(lost)).json().devices.length, 1);
    await post(lost, 3);
    await listener.next(3);
    assert.deepEqual(heard(), [1, 2, 3]);
    const fed = await feed(lost, 1_000);
    assert.deepEqual([fed.statusCode, fed.json().accepted], [200, 1], fed.body);
  });
});
