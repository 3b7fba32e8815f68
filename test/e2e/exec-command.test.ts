import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { BIN, cleanEnv, spawnCli } from '../../clients/cli/test/spawn-cli.ts';
import { clients, users } from '../../demo/credentials.ts';
import { CLIENT, SMALL_FLEET, USER } from '../support/fleet.ts';
import { removeDataDir } from '../support/service-process.ts';

/** Everything a sandbox leaves behind is in here. */
const root = mkdtempSync(join(tmpdir(), 'linekeeper-exec-'));
chmodSync(root, 0o711);
const dataDir = join(root, 'kept');
after(() => {
  removeDataDir(dataDir);
  rmSync(root, { recursive: true, force: true });
});
const env = { TMPDIR: root };
const left = () => globSync('linekeeper-sandbox-*', { cwd: root });

const exec = (...words: string[]) => spawnCli(['exec', ...words], { env, timeoutMs: 120_000 });
/** Prints its environment variables. */
const SHOW =
  'console.log(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(LINEKEEPER_|DATABASE_)/.test(name)))))';

describe('linekeeper exec', () => {
  it('shows its help or its usage, and starts nothing', async () => {
    const help = await exec('--help');
    assert.equal(help.code, 0);
    for (const word of [
      '--port',
      '--data-dir',
      '--fleet',
      '--demo',
      '--seed',
      '--now',
      '--log',
      '-- npm test',
    ])
      assert.ok(help.out.includes(word), word);
    const alone = await exec('--demo', 'on');
    assert.deepEqual(alone, {
      code: 2,
      out: '',
      err: 'linekeeper: Give a command after --.\nExample: linekeeper exec -- npm test\n',
    });
    assert.deepEqual(left(), []);
  });

  it('runs a command that finds the sandbox by variables, and returns its exit code', async () => {
    const code = `${SHOW}; fetch(new URL('/health/ready', process.env.LINEKEEPER_URL)).then(({ ok }) => process.exit(ok ? 7 : 1))`;
    const how = {
      // For the command only; the sandbox has its own database.
      env: { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', LINEKEEPER_DATA_DIR: '/nowhere' },
      timeoutMs: 120_000,
    };
    const ran = await spawnCli(['exec', '--', process.execPath, '-e', code, '--', '--json'], how);
    assert.deepEqual([ran.code, ran.err], [7, '']);
    const { LINEKEEPER_URL, LINEKEEPER_OPERATOR_KEY, ...others } = JSON.parse(ran.out);
    assert.match(LINEKEEPER_URL, /^http:\/\/127\.0\.0\.1:\d+\/api$/);
    assert.match(LINEKEEPER_OPERATOR_KEY, /^\S{16,}$/);
    assert.deepEqual(others, {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x',
      LINEKEEPER_DATA_DIR: '/nowhere',
      LINEKEEPER_CLIENT_ID: clients[0]?.clientId,
      LINEKEEPER_CLIENT_SECRET: clients[0]?.clientSecret,
      LINEKEEPER_USERNAME: users[0]?.username,
      LINEKEEPER_PASSWORD: users[0]?.password,
    });
    assert.deepEqual(left(), []);
  });

  it('accepts a fleet and its first user, keeps a given folder, and writes a log', async () => {
    const [fleet, log] = [join(root, 'fleet.json'), join(root, 'sandbox.log')];
    writeFileSync(fleet, JSON.stringify(SMALL_FLEET));
    const options = ['--fleet', fleet, '--data-dir', dataDir, '--log', log];
    const ran = await exec(...options, '--', process.execPath, '-e', SHOW);
    const variables = JSON.parse(ran.out);
    assert.deepEqual(
      [variables.LINEKEEPER_CLIENT_ID, variables.LINEKEEPER_USERNAME],
      [CLIENT.clientId, USER.username],
    );
    assert.ok(existsSync(join(dataDir, 'operator-key')));
    assert.equal(readFileSync(log, 'utf8'), '');
    const nobody = await exec('--demo', 'off', '--', process.execPath, '-e', SHOW);
    assert.equal(JSON.parse(nobody.out).LINEKEEPER_USERNAME, undefined);
  });

  it('reports why a sandbox does not start or a command cannot run', async () => {
    const fleet = join(root, 'wrong.json');
    writeFileSync(fleet, '{\n  "acounts": []\n}');
    const refused = await exec('--fleet', fleet, '--', 'true');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /^linekeeper: The fleet document .*wrong\.json was refused.*\n {2}line 2: /);
    const missing = await exec('--demo', 'off', '--', 'no-such-program');
    assert.deepEqual(missing, {
      code: 127,
      out: '',
      err: 'linekeeper: no-such-program cannot be run: command not found.\n',
    });
    assert.deepEqual(left(), []);
  });

  it('passes on signals, and ends like the command', async () => {
    for (const [code, expected] of [
      ["process.on('SIGTERM', () => process.exit(9))", 9],
      ['', 128 + 15],
    ] as const) {
      const script = `${code}; console.log('runs'); setInterval(() => {}, 1000)`;
      const child = spawn(
        process.execPath,
        [BIN, 'exec', '--demo', 'off', '--', process.execPath, '-e', script],
        {
          env: cleanEnv(env),
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      const ended = once(child, 'exit');
      await once(createInterface(child.stdout), 'line');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [expected, null]);
      assert.deepEqual(left(), []);
    }
  });
});
