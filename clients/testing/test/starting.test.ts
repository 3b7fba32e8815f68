import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../test/support/fleet.ts';
import { type SandboxOptions, startSandbox } from '../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-starting-'));
after(() => rmSync(folder, { recursive: true }));
const DAY_MS = 24 * 3_600_000;

describe('a start', () => {
  it('that cannot be is refused with the sentence of the service alone', async () => {
    const port = createServer().listen(0, '127.0.0.1');
    await once(port, 'listening');
    const taken = String((port.address() as AddressInfo).port);
    const devices = [{ accountName: ACCOUNT, imei: 'x' }];
    const refusals: readonly (readonly [SandboxOptions, RegExp])[] = [
      [
        { env: { LINEKEEPER_PORT: taken } },
        new RegExp(`^Port ${taken} on 127\\.0\\.0\\.1 is already in use;`),
      ],
      [
        { fleet: { ...SMALL_FLEET, devices } },
        /^The fleet document .*\n {2}line \d+: \/devices\/0\/imei .*$/,
      ],
      [{ fleet: join(folder, 'none.json') }, /^The fleet document .*none\.json cannot be read: ENOENT.*\.$/],
      [{ env: { LINEKEEPER_API_RATE: 'many' } }, /^LINEKEEPER_API_RATE must be .*\.$/],
      [{ now: 'soon' }, /^LINEKEEPER_NOW must be .*\.$/],
      [{ demo: true, fleet: {} }, /^startSandbox takes a fleet or demo: true, and not both\.$/],
      [{ fleets: {} } as SandboxOptions, /^startSandbox has no option fleets; it takes fleet, demo, /],
    ];
    try {
      for (const [options, sentence] of refusals)
        await assert.rejects(startSandbox(options), ({ message }: Error) => {
          assert.match(message, sentence);
          return true;
        });
    } finally {
      port.close();
    }
  });

  it('with nothing is an empty sandbox, in which nobody can call before they are named', async () => {
    await using sandbox = await startSandbox({
      log: join(folder, 'log'),
      env: { LINEKEEPER_LOG_LEVEL: 'info' },
    });
    assert.deepEqual(await sandbox.operator.call('GET /operator/v1/accounts'), []);
    await assert.rejects(sandbox.client(), /does not know who calls: pass client\(\{ clientId, .*demo: true/);
    await sandbox.stop();
    assert.match(readFileSync(join(folder, 'log'), 'utf8'), /^\{"level":"info",/);
  });

  it('prepares its database where the machine keeps such things, and takes no other setting from around it', async (t) => {
    const cache = join(folder, 'cache');
    mkdirSync(cache);
    // Lets the database user enter, which may be another user.
    for (const each of [folder, cache]) chmodSync(each, 0o711);
    const around = { LINEKEEPER_CACHE_DIR: cache, LINEKEEPER_PORT: 'none', LINEKEEPER_DEMO: 'on' };
    Object.assign(process.env, around);
    t.after(() => {
      for (const name of Object.keys(around)) delete process.env[name];
    });
    await using sandbox = await startSandbox();
    assert.equal(readdirSync(cache).length, 1);
    assert.deepEqual(await sandbox.operator.call('GET /operator/v1/accounts'), []);
  });

  it('takes the fleet of a file, and another prefix', async () => {
    const file = join(folder, 'fleet.json');
    writeFileSync(file, JSON.stringify(SMALL_FLEET));
    await using sandbox = await startSandbox({ fleet: file, env: { LINEKEEPER_PREFIX: 'ACME' } });
    const client = await sandbox.client();
    const plans = await client.call('GET /m2m/v1/plans/{accountName}', { path: { accountName: ACCOUNT } });
    assert.deepEqual(
      plans.map(({ code }) => code),
      ['P-5MB'],
    );
  });

  it('with the demo fleet knows its user, and lets it live where that is asked for', async () => {
    const env = { LINEKEEPER_ADVANCE_WAIT_SECONDS: '1' };
    await using sandbox = await startSandbox({ demo: true, life: true, seed: 42, env });
    const { running, seed } = await sandbox.operator.call('GET /operator/v1/simulator');
    assert.deepEqual([running, seed], [true, '42']);
    await (await sandbox.client()).logIn();
    // Longer than the service delays its response.
    const before = await sandbox.clock.freeze();
    const now = await sandbox.clock.advance('P3D');
    assert.ok(Date.parse(now) - Date.parse(before) >= 3 * DAY_MS);
    const { movingTo } = await sandbox.operator.call('GET /operator/v1/clock');
    assert.equal(movingTo, undefined);
  });

  it('gives the same ids again from the same seed, with a clock that stands still', async () => {
    const options = { fleet: SMALL_FLEET, now: '2026-05-04T12:00:00Z', freeze: true, seed: 7 };
    const tryOut = async () => {
      await using sandbox = await startSandbox(options);
      const { key } = await sandbox.operator.call('POST /operator/v1/keys', {
        body: { name: 'again', scopes: ['read'] },
      });
      return { key, now: await sandbox.clock.now() };
    };
    const [first, second] = [await tryOut(), await tryOut()];
    assert.equal(first.now, '2026-05-04T12:00:00.000Z');
    assert.deepEqual(second, first);
  });
});
