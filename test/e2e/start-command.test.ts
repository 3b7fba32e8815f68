import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { BIN, cleanEnv, spawnCli } from '../../clients/cli/test/spawn-cli.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { makeDataDir, removeDataDir } from '../support/service-process.ts';

const dataDir = makeDataDir();
after(() => removeDataDir(dataDir));
const options = ['--port', '0', '--data-dir', dataDir, '--seed', '42', '--json'];
const clock = async () =>
  JSON.parse((await spawnCli(['clock', '--json'], { env: { LINEKEEPER_DATA_DIR: dataDir } })).out);

/** Returns its output when it is ready, and stops it. */
async function startAnd<T>(
  args: readonly string[],
  look: (ready: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [BIN, 'start', ...options, ...args], {
    env: cleanEnv({}),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const ready = JSON.parse(line);
    assert.deepEqual([ready.ready, ready.pid], [true, child.pid]);
    return await look(ready);
  } finally {
    child.kill();
    await ended;
  }
}

describe('linekeeper start', () => {
  it('shows its help and starts nothing', async () => {
    const nowhere = join(dataDir, 'nothing');
    const { code, out } = await spawnCli(['start', '--help', '--data-dir', nowhere]);
    assert.equal(code, 0);
    for (const option of [
      '--port',
      '--data-dir',
      '--fleet',
      '--demo',
      '--seed',
      '--now',
      '--freeze',
      '--json',
    ])
      assert.ok(out.includes(option), option);
    assert.equal(existsSync(nowhere), false);
  });

  it('fails on a fleet document with a mistake and names its line, then starts with a valid one at its time', async () => {
    const [wrong, broken, right] = ['wrong.json', 'broken.json', 'right.json'].map((name) =>
      join(dataDir, name),
    );
    const text = JSON.stringify(SMALL_FLEET, null, 1);
    writeFileSync(right!, text);
    writeFileSync(wrong!, text.replace(/"imei": ".*?"/, '"imei": "x"'));
    writeFileSync(broken!, text.replace('],', ']'));
    const at = ['--now', '2020-01-01T00:00:00Z', '--fleet'];
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    const refused = await spawnCli(['start', ...options, ...at, wrong!]);
    assert.equal(refused.code, 2, refused.err);
    const { title, exitCode } = JSON.parse(refused.err.trim().split('\n').at(-1)!);
    assert.equal(exitCode, 2);
    assert.match(
      title,
      new RegExp(`wrong\\.json was refused.*\\n  line ${lineOf('"imei"')}: /devices/0/imei`),
    );
    const unreadable = await spawnCli(['start', ...options, ...at, broken!]);
    assert.match(unreadable.err, /line \d+: The document must be one JSON object/);

    await startAnd([...at, right!], async ({ url, operatorKey }) => {
      const now = await clock();
      assert.equal(now.now.slice(0, 10), '2020-01-01');
      assert.ok(now.offsetMs < 0);
      const how = { env: { LINEKEEPER_URL: String(url), LINEKEEPER_OPERATOR_KEY: String(operatorKey) } };
      const { out } = await spawnCli(['accounts', 'show', ACCOUNT, '--json'], how);
      assert.equal(JSON.parse(out).accountName, ACCOUNT);
    });
  });

  it('moves to a later time through all due work, but not to an earlier one', async () => {
    const back = await spawnCli(['start', ...options, '--now', '2019-12-31']);
    assert.equal(back.code, 2);
    assert.match(back.err, /LINEKEEPER_NOW is 2019-12-31.* is at 2020-01-01.*needs an empty data folder/);
    const later = await startAnd(['--demo', 'off', '--now', '2020-01-02T00:00:00Z'], clock);
    assert.equal(later.now.slice(0, 10), '2020-01-02');
  });

  it('freezes the clock from the start, to the millisecond, until it is unfrozen', async () => {
    const now = '2020-01-03T00:00:00.000Z';
    const still = await startAnd(['--demo', 'off', '--now', now, '--freeze'], clock);
    assert.deepEqual([still.now, still.frozen], [now, true]);
    const again = await startAnd(['--demo', 'off'], clock);
    assert.deepEqual([again.now, again.frozen], [now, true]);
  });
});
