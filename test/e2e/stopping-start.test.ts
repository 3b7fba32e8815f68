import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../embedded-postgres/stop-server.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeDataDir, removeDataDir, spawnService, startServiceProcess } from '../support/service-process.ts';

/** A limit that only a hanging process reaches. */
const HANG_MS = 120_000;
const LOUD = { LINEKEEPER_LOG_LEVEL: 'debug', LINEKEEPER_CONSOLE: 'off' };

/** Spawns it, waits for the moment, sends the signal, and returns the exit code and the output. */
async function stopAt(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  isNow: (output: string) => boolean,
  signal: NodeJS.Signals,
) {
  const { child, output } = spawnService(dataDir, { ...LOUD, ...env });
  const isOver = () => child.exitCode !== null || output().includes('Linekeeper ready');
  while (!isNow(output()) && !isOver()) await sleep(5);
  const ended = once(child, 'exit');
  child.kill(signal);
  if (child.exitCode === null) await ended;
  return { code: child.exitCode, output: output() };
}

/** The server of the data folder, if its cluster names one. */
function serverPid(dataDir: string): number | undefined {
  const pointer = join(dataDir, 'cluster-location');
  const home = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : dataDir;
  const file = join(home, 'pgdata', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

describe('a start that gets a stop signal', { timeout: 5 * HANG_MS }, () => {
  const dataDir = makeDataDir();
  after(() => removeDataDir(dataDir));

  /** One after the other on the same data folder, so each finds what the previous one left. */
  const MOMENTS: readonly [string, string, NodeJS.Signals][] = [
    ['while the cluster of the embedded database is made', 'creating a new database cluster', 'SIGTERM'],
    ['while the embedded database starts', 'starting PostgreSQL', 'SIGINT'],
    ['while migrations run', 'ready to accept connections', 'SIGTERM'],
    ['while the demo fleet is imported', 'loading the demo fleet', 'SIGTERM'],
  ];
  for (const [when, line, signal] of MOMENTS)
    it(`${when}, by ${signal}, ends with 0 and leaves nothing running`, async () => {
      const env = { LINEKEEPER_DEMO: 'on' };
      const { code, output } = await stopAt(dataDir, env, (text) => text.includes(line), signal);
      assert.equal(code, 0, output);
      assert.doesNotMatch(output, /Linekeeper ready/);
      const pid = serverPid(dataDir);
      assert.ok(pid === undefined || !isAlive(pid), `the server ${pid} still runs`);
    });

  it('leaves a data folder on which the next start works', async () => {
    const service = await startServiceProcess(dataDir, { ...LOUD, LINEKEEPER_DEMO: 'on' });
    assert.equal(await service.stop('SIGINT'), 0, service.output());
  });

  it('before any work has started exits with 0', async () => {
    const { code, output } = await stopAt(
      dataDir,
      { LINEKEEPER_UNKNOWN_SETTING: 'x' },
      (text) => text !== '',
      'SIGTERM',
    );
    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /Linekeeper ready/);
  });

  it('while an external database does not answer exits with 0', async () => {
    let connected = false;
    const silent = createServer(() => {
      connected = true;
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const env = { DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c`, LINEKEEPER_MODE: 'sandbox' };
    const { code, output } = await stopAt(dataDir, env, () => connected, 'SIGTERM');
    silent.close();
    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /cannot be reached/);
  });
});

describe('a sandbox on an external database', { timeout: HANG_MS }, () => {
  it('starts with a data folder that does not exist yet, also if it needs no key there', async () => {
    const { url, drop } = await createTestDatabase();
    const parent = makeDataDir();
    const dataDir = join(parent, 'not', 'yet');
    const service = await startServiceProcess(dataDir, {
      ...LOUD,
      DATABASE_URL: url,
      LINEKEEPER_MODE: 'sandbox',
      LINEKEEPER_SECRET_KEY: generateSecretKey(),
      LINEKEEPER_OPERATOR_KEY: 'operator-key-of-this-test',
      LINEKEEPER_SIMULATOR: 'on',
    });
    assert.equal(JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')).url, service.url);
    assert.equal(await service.stop(), 0, service.output());
    await drop();
    removeDataDir(parent);
  });
});
