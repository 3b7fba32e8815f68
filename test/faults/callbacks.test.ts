import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LISTENER_SERVICES, listDeliveries, postCallbacks } from '../../src/features/callbacks/index.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { type Heard, openListener } from '../support/listener.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';
import { makeWorld } from '../support/world.ts';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const ECPD = '9000001';
/** What a worker may have sent on one lane without having recorded it. */
const UNDER_WAY_MAX = 256;
const dataDir = makeDataDir();
after(() => removeDataDir(dataDir));

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
await world.import(SMALL_FLEET);
// Messages must be due by the real clock of the worker processes.
world.clock.release();
world.clock.reset();

const startWorker = (): Promise<ServiceProcess> =>
  startServiceProcess(dataDir, {
    DATABASE_URL: world.databaseUrl,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_ROLE: 'worker',
    LINEKEEPER_SECRET_KEY: secretKey,
    LINEKEEPER_OPERATOR_KEY: 'operator-key-for-tests',
    LINEKEEPER_LOG_LEVEL: 'warn',
  });

async function listenTo(services: readonly string[]) {
  const listener = await openListener();
  await world.import({
    listeners: services.map((serviceName) => ({ accountName: ACCOUNT, serviceName, url: listener.url })),
  });
  return listener;
}

const post = (count: number, requestId: string, services: readonly string[]) =>
  postCallbacks(
    world.ctx,
    ECPD,
    Array.from({ length: count }, (_, n) => ({
      accountName: ACCOUNT,
      serviceName: services[n % services.length] as never,
      requestId,
      payload: { n, filler: 'x'.repeat(200) },
    })),
  );

async function untilDelivered(requestId: string, seconds = 30): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  for (;;) {
    const open = await listDeliveries(
      world.ctx,
      { requestId, state: 'pending', limit: 1 },
      async () => new Map(),
    );
    if (open.length === 0) return;
    assert.ok(Date.now() < until, 'callbacks still wait');
    await sleep(50);
  }
}

const idOf = ({ headers }: Heard) => String(headers['webhook-id']);

describe('callbacks', () => {
  it(`lose nothing when their worker is killed at a random moment, ${ROUNDS} times`, async () => {
    const services = ['AlertService'];
    const listener = await listenTo(services);
    for (let round = 0; round < ROUNDS; round++) {
      const from = listener.heard.length;
      const ids = new Set(await post(1_000, `kill-${round}`, services));
      const worker = await startWorker();
      await listener.next(from + 1 + Math.floor(Math.random() * 800));
      await worker.stop('SIGKILL');
      const second = await startWorker();
      await untilDelivered(`kill-${round}`);
      await second.stop();
      const heard = listener.heard.slice(from);
      const times = Map.groupBy(heard, idOf);
      assert.deepEqual(new Set(times.keys()), ids, 'each arrived, and nothing else did');
      assert.ok(heard.length - ids.size <= UNDER_WAY_MAX, `${heard.length - ids.size} extra`);
      assert.ok(
        heard.every(({ body }) => body['callbackCount'] === 1),
        'an attempt that was not recorded is the same attempt again',
      );
    }
  });

  it('are sent once each by two workers at the same time', async () => {
    const services = LISTENER_SERVICES.slice(0, 10);
    const listener = await listenTo(services);
    const workers = await Promise.all([startWorker(), startWorker()]);
    const ids = await post(2_000, 'two-workers', services);
    await untilDelivered('two-workers');
    await Promise.all(workers.map((worker) => worker.stop()));
    assert.deepEqual(listener.heard.map(idOf).sort(), [...ids].sort());
  });

  it('are neither lost nor doubled when their worker is asked to stop', async () => {
    const services = ['CarrierService'];
    const listener = await listenTo(services);
    const worker = await startWorker();
    const ids = await post(1_000, 'asked', services);
    await listener.next(20);
    assert.equal(await worker.stop('SIGTERM'), 0);
    const second = await startWorker();
    await untilDelivered('asked');
    await second.stop();
    assert.deepEqual(listener.heard.map(idOf).sort(), [...ids].sort());
  });

  it('of a dead worker are taken over by a living one within 5 seconds', async () => {
    const services = ['StateService'];
    const listener = await listenTo(services);
    const first = await startWorker();
    listener.answer = 'never';
    await post(1, 'taken-over', services);
    await listener.next(1);
    const second = await startWorker();
    listener.answer = 200;
    await first.stop('SIGKILL');
    const until = Date.now() + 5_000;
    while (listener.heard.length < 2 && Date.now() < until) await sleep(20);
    assert.equal(listener.heard.length, 2);
    await untilDelivered('taken-over');
    await second.stop();
  });
});
