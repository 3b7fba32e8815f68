import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOperatorClient } from '../../clients/sdk/index.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';
import { makeWorld } from '../support/world.ts';

const dataDir = makeDataDir();
after(() => removeDataDir(dataDir));

const [k1, k2] = ['k1:', 'k2:'].map((id) => generateSecretKey().replace('k1:', id));
const world = await makeWorld({ secretKey: k1! });
await world.import(SMALL_FLEET);
await world.import({
  listeners: [{ accountName: ACCOUNT, serviceName: 'Fota', url: 'http://127.0.0.1:9000/', username: 'me' }],
});
const startWith = (...keys: (string | undefined)[]) =>
  startServiceProcess(dataDir, {
    DATABASE_URL: world.databaseUrl,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_SECRET_KEY: keys.join(','),
    LINEKEEPER_OPERATOR_KEY: 'operator-key-for-tests',
    LINEKEEPER_LOG_LEVEL: 'warn',
  });

async function countSealed(url: string): Promise<Record<string, number>> {
  const text = await fetch(new URL('/metrics', url)).then((answer) => answer.text());
  const series = text.matchAll(/^linekeeper_sealed_listeners\{key="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...series].map(([, key, n]) => [key, Number(n)]));
}

describe('the secret key of a service', () => {
  it('is reported as missing if stored secrets need it, and can be rotated while the service runs', async () => {
    const without = await startWith(k2);
    assert.deepEqual(await countSealed(without.url), { current: 0, older: 0, missing: 1 });
    assert.match(without.output(), /LINEKEEPER_SECRET_KEY lacks the key k1/);
    await without.stop();

    const rotating = await startWith(k2, k1);
    assert.doesNotMatch(rotating.output(), /lacks the key/);
    // The job of the previous process has just run and is next due in ten minutes.
    const { url: baseUrl, operatorKey } = rotating;
    const operator = createOperatorClient({ baseUrl, operatorKey });
    await operator.call('POST /operator/v1/clock', { body: { advance: 'PT11M' } });
    const giveUpAt = Date.now() + 30_000;
    while ((await countSealed(rotating.url))['older'] !== 0) {
      assert.ok(Date.now() < giveUpAt, 'still sealed with the old key');
      await sleep(100);
    }
    await rotating.stop();

    const rotated = await startWith(k2);
    assert.doesNotMatch(rotated.output(), /lacks the key/);
    assert.deepEqual(await countSealed(rotated.url), { current: 1, older: 0, missing: 0 });
    await rotated.stop();
  });
});
