import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LISTENER_SERVICES } from '../../src/features/callback-payloads/index.ts';
import { listDeliveries, postCallbacks } from '../../src/features/callbacks/index.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { type Heard, openListener } from '../support/listener.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('callbacks');
const ECPD = '9000001';
const MESSAGES = 1_000;
/** At most this many sent but unrecorded attempts of a worker on one lane. */
const UNDER_WAY_MAX = 256;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
await world.import(SMALL_FLEET);
// Messages must be due by the real clock of the worker processes.
world.clock.release();
world.clock.reset();

const crew = openCrew(world, secretKey);

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

async function isDelivered(requestId: string): Promise<boolean> {
  const filter = { requestId, state: 'pending', limit: 1 } as const;
  return (await listDeliveries(world.ctx, filter, async () => new Map())).length === 0;
}
const untilDelivered = (requestId: string) => until('callbacks still wait', () => isDelivered(requestId));

const idOf = ({ headers }: Heard) => String(headers['webhook-id']);

describe('callbacks', () => {
  it(`lose nothing when their worker is killed at a random moment, ${ROUNDS} times`, async (t) => {
    let posted = 0;
    const services = ['AlertService'];
    const listener = await listenTo(services);
    await eachRound(t, ROUNDS, async () => {
      const requestId = `kill-${posted++}`;
      const from = listener.heard.length;
      const ids = new Set(await post(MESSAGES, requestId, services));
      const [worker] = await crew.have(1);
      await listener.next(from + moments.between(1, MESSAGES * 0.8));
      await killForGood(world, worker!);
      if (await isDelivered(requestId)) return TOO_LATE;
      await crew.have(1);
      await untilDelivered(requestId);
      const heard = listener.heard.slice(from);
      const times = Map.groupBy(heard, idOf);
      assert.deepEqual(new Set(times.keys()), ids, 'each arrived, and nothing else did');
      assert.ok(heard.length - ids.size <= UNDER_WAY_MAX, `${heard.length - ids.size} extra`);
      assert.ok(
        heard.every(({ body }) => body['callbackCount'] === 1),
        'an unrecorded attempt is repeated with the same number',
      );
    });
  });

  it('are sent once each by two workers at the same time', async () => {
    const services = LISTENER_SERVICES.slice(0, 10);
    const listener = await listenTo(services);
    await crew.have(2);
    const ids = await post(2_000, 'two-workers', services);
    await untilDelivered('two-workers');
    assert.deepEqual(listener.heard.map(idOf).sort(), [...ids].sort());
  });

  it('are neither lost nor duplicated when their worker stops on request', async () => {
    const services = ['CarrierService'];
    const listener = await listenTo(services);
    const [worker] = await crew.have(1);
    const ids = await post(1_000, 'asked', services);
    await listener.next(20);
    assert.equal(await worker!.stop('SIGTERM'), 0);
    await crew.have(1);
    await untilDelivered('asked');
    assert.deepEqual(listener.heard.map(idOf).sort(), [...ids].sort());
  });

  it('of a dead worker are sent by the next one', async () => {
    const services = ['StateService'];
    const listener = await listenTo(services);
    const [first] = await crew.have(1);
    listener.answer = 'never';
    await post(1, 'taken-over', services);
    await listener.next(1);
    await first!.stop('SIGKILL');
    listener.answer = 200;
    await crew.have(1);
    await until('nobody took over', () => listener.heard.length >= 2);
    assert.equal(listener.heard.length, 2);
    await untilDelivered('taken-over');
  });
});
