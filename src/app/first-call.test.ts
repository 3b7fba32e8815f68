import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PRIMARY } from '../../demo/accounts.ts';
import { createTestDatabase } from '../../test/support/database.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const START_MS = 60_000;
const HEADING = /^First call.*$/m;

/** What a person would copy: the indented block below the heading. */
function commandsIn(output: string): string | undefined {
  const below = output.split(HEADING)[1];
  return below === undefined ? undefined : /^\n\n((?: {2}.*\n)+)\n/.exec(below)?.[1];
}

async function start(dataDir: string, databaseUrl: string) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(LINEKEEPER_|DATABASE_URL$)/.test(name),
  );
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...Object.fromEntries(inherited),
      LINEKEEPER_MODE: 'sandbox',
      DATABASE_URL: databaseUrl,
      LINEKEEPER_DATA_DIR: dataDir,
      LINEKEEPER_PORT: '0',
      LINEKEEPER_SIMULATOR: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, complaints] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const deadline = Date.now() + START_MS;
  while (commandsIn(output) === undefined) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill();
      throw new Error(`no first call was printed\n${output.slice(-2_000)}\n${complaints.slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { child, commands: commandsIn(output)!, output };
}

describe('a sandbox started on an empty data folder and database', () => {
  let dataDir: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined;
  let child: ChildProcess | undefined;
  let commands: string;
  let output: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'linekeeper-demo-'));
    database = await createTestDatabase();
    ({ child, commands, output } = await start(dataDir, database.url));
  });
  after(async () => {
    if (child !== undefined && child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('tells its address in one line before everything else', () => {
    assert.match(output, /^Linekeeper ready on http:\/\/127\.0\.0\.1:\d+\/api\n/);
  });

  for (const shell of ['sh', 'bash']) {
    // proves data/accounts-and-plans
    test(`prints a first call that works when it is pasted into ${shell}`, async () => {
      const { stdout, stderr } = await promisify(execFile)(shell, ['-c', commands]);
      assert.equal(stderr, '');
      const account = JSON.parse(stdout);
      assert.equal(account.accountName, PRIMARY);
      assert.ok(account.servicePlans.length > 0);
    });
  }
});
