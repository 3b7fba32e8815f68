import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ACCOUNT } from '../../../test/support/fleet.ts';
import { BIN, cleanEnv, spawnCli } from './spawn-cli.ts';
import { startWorld } from './start-world.ts';

const { env } = await startWorld();
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-process-'));
after(() => rm(folder, { recursive: true }));

function start(t: TestContext, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: cleanEnv({ ...env, ...more }),
    timeout: 30_000,
  });
  t.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'close').then(([code]: unknown[]) => code);
  return { child, exit };
}

describe('linekeeper as a process', () => {
  it('answers on standard output, tells errors on the other, and ends with the exit code', async () => {
    const [shown, refused] = await Promise.all([
      spawnCli(['accounts', 'show', ACCOUNT, '--json'], { env }),
      spawnCli(['users', 'unlock', 'nobody'], { env }),
    ]);
    assert.deepEqual([shown.code, JSON.parse(shown.out).accountName, shown.err], [0, ACCOUNT, '']);
    assert.deepEqual(refused, { code: 6, out: '', err: 'linekeeper: There is no such user: nobody.\n' });
  });

  it('reads what another program pipes into it', async () => {
    const profile = gzipSync(JSON.stringify({ profiles: [{ ecpdId: '9000009' }] }));
    const { code, out } = await spawnCli(['import', '-', '--json'], { env, input: profile });
    assert.deepEqual([code, JSON.parse(out)], [0, { counts: { profiles: 1 } }]);
  });

  it('ends after what is under way where Ctrl-C is how a command ends', async (t) => {
    const { child, exit } = start(t, ['listen', '--port', '0']);
    const lines: string[] = [];
    const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
    await once(reader, 'line');
    child.kill('SIGINT');
    assert.equal(await exit, 130);
    assert.equal(lines.at(-1), '0 callbacks received.');
  });

  it('runs on an older Node through the one in the checkout', async (t) => {
    const PATH = process.env['PATH']!.split(delimiter)
      .filter((path) => !path.includes('node_modules'))
      .join(delimiter);
    const node = ['/usr/bin/env', 'node'] as const;
    const version = await spawnCli(['-v'], { env: { PATH }, program: node });
    t.diagnostic(`with Node ${version.out.trim()}`);
    const how = { env: { ...env, PATH }, program: [...node, BIN] as const };
    const [ready, wrong] = await Promise.all([
      spawnCli(['health'], how),
      spawnCli(['users', 'unlock', 'nobody'], how),
    ]);
    assert.deepEqual([ready.code, wrong.code], [0, 6]);
    assert.equal(wrong.err, 'linekeeper: There is no such user: nobody.\n');
  });
});

describe('an export that does not come to its end', () => {
  const server = createServer((_, response) => {
    const more = () => void (response.write('x'.repeat(100_000)) ? setImmediate(more) : undefined);
    response.on('drain', more);
    more();
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = async () => {
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
    return { LINEKEEPER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  it('leaves nothing half written behind when it is told to stop', async (t) => {
    const { child, exit } = start(t, ['export', '-o', join(folder, 'out.json')], await at());
    while (child.exitCode === null && (await readdir(folder)).length === 0) await sleep(20);
    child.kill('SIGTERM');
    assert.equal(await exit, 143);
    assert.deepEqual(await readdir(folder), []);
  });

  it('ends quietly when nobody reads on', async (t) => {
    const { child, exit } = start(t, ['export'], await at());
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    assert.deepEqual([await exit, told], [141, '']);
  });
});
