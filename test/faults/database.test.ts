import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD } from '../support/callback-scene.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { type Heard, openListener } from '../support/listener.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';
import { makeWorld } from '../support/world.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('database');
const MESSAGES = 1_500;
/** At most this many sent but unrecorded attempts of a worker on one lane. */
const UNDER_WAY_MAX = 256;
/** Longer than a lease, and longer than an unrecordable result is kept. */
const LONG_OUTAGE_MS = 6_000;
const PATIENCE_MS = 60_000;

const server = await startKillableServer();
const dataDir = makeDataDir();
const secretKey = generateSecretKey();
const world = await makeWorld({ databaseUrl: server.url, secretKey });
await world.import(SMALL_FLEET);
// Messages must be due by the real clock of the service process.
world.clock.release();
world.clock.reset();
const service = await startServiceProcess(dataDir, {
  DATABASE_URL: server.url,
  LINEKEEPER_MODE: 'sandbox',
  LINEKEEPER_SECRET_KEY: secretKey,
  LINEKEEPER_OPERATOR_KEY: 'operator-key-for-tests',
  LINEKEEPER_LOG_LEVEL: 'warn',
});
after(async () => {
  await service.stop();
  await server.stop();
  removeDataDir(dataDir);
});

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    assert.equal(service.child.exitCode, null, `the service ended:\n${service.output()}`);
    assert.ok(Date.now() < giveUpAt, `${what}:\n${service.output().slice(-4_000)}`);
    await sleep(20);
  }
}

const isReady = async () =>
  (await fetch(new URL('/health/ready', service.url)).then(({ status }) => status)) === 200;
const countPending = async () =>
  (await world.ctx.db.one<{ n: number }>(sql`select count(*)::int as n from callback_pending`)).n;
const idOf = ({ headers }: Heard) => String(headers['webhook-id']);

describe('a database that is killed while callbacks are delivered', () => {
  it(`loses no callback and does not end the service, ${ROUNDS} times`, async (t) => {
    const listener = await openListener();
    await world.import({
      listeners: [{ accountName: ACCOUNT, serviceName: 'AlertService', url: listener.url }],
    });
    let posted = 0;
    await eachRound(t, ROUNDS, async (t, round) => {
      const requestId = `outage-${posted++}`;
      const from = listener.heard.length;
      const callbacks = Array.from({ length: MESSAGES }, (_, n) => ({
        accountName: ACCOUNT,
        serviceName: 'AlertService' as const,
        requestId,
        payload: { n, filler: 'x'.repeat(200) },
      }));
      const ids = new Set(await postCallbacks(world.ctx, ECPD, callbacks));
      await listener.next(from + moments.between(1, MESSAGES * 0.6));
      await server.kill();
      if (round % 5 === 0) await sleep(LONG_OUTAGE_MS);
      const isTooLate = listener.heard.length - from >= MESSAGES;
      const backAt = await server.restart();
      await until('callbacks still wait', async () => (await countPending().catch(() => 1)) === 0);
      if (isTooLate) return TOO_LATE;

      const heard = listener.heard.slice(from);
      const [first] = heard.filter(({ at }) => at >= backAt);
      const extra = heard.length - ids.size;
      t.diagnostic(
        `${extra} sent again, the first ${first === undefined ? 'never' : first.at - backAt} ms after it was back`,
      );
      assert.deepEqual(new Set(heard.map(idOf)), ids, 'each arrived, and nothing else did');
      assert.ok(extra <= UNDER_WAY_MAX, `${extra} extra`);
      assert.ok(
        heard.every(({ body }) => body['callbackCount'] === 1),
        'an unrecorded attempt is repeated with the same number',
      );
    });
    await until('the service is not ready again', isReady);
    assert.equal(service.child.exitCode, null);
  });
});
