import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { removeDataDir } from '../support/service-process.ts';

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'linekeeper-package-'));
const dataDir = join(home, '.linekeeper');
let running: ChildProcess | undefined;
/** What a terminal does when somebody presses Ctrl-C: npx, its shell and the service all hear it. */
const signalAll = (signal: NodeJS.Signals) => process.kill(-running!.pid!, signal);
after(async () => {
  // A failed test must not leave a service behind, which would keep this process from ending.
  if (running !== undefined && !running.stdout!.closed) {
    signalAll('SIGKILL');
    await once(running, 'close');
  }
  removeDataDir(dataDir);
  rmSync(home, { recursive: true, force: true });
});

/** As in a shell of its own: `npm test` would lend it this checkout's programs, its Node among them. */
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: process.env['PATH']!.split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .join(delimiter),
  LINEKEEPER_PORT: '0',
};
for (const name of Object.keys(env))
  if (/^(npm_(lifecycle|package|command|execpath|node_execpath|config_local_prefix)|NODE_)/.test(name))
    delete env[name];
const options = { cwd: home, env, maxBuffer: 16 * 1024 * 1024 };

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;

/** The registry is the one outside address that any test needs. Why there is nothing to test where it is out of reach. */
async function install(): Promise<string | undefined> {
  const [tarball] = globSync('linekeeper-*.tgz', { cwd: home });
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=30000'];
  try {
    await run('npm', ['install', `./${tarball}`, '--prefix', '.', ...quick], options);
    return undefined;
  } catch (error) {
    const code = UNREACHABLE.exec(String((error as { stderr?: string }).stderr))?.[0];
    if (code === undefined) throw error;
    return `NOT TESTED, the npm registry cannot be reached: ${code}`;
  }
}

/** `--no`: where the package brings no such command, npx must not look for somebody else's. */
const NPX = ['--no', 'linekeeper'];
const cli = (...words: string[]) => run(join(home, 'node_modules/.bin/linekeeper'), words, options);

async function startFromPackage(): Promise<{ url: string; output: () => string }> {
  const child = spawn('npx', NPX, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running = child;
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const until = Date.now() + 60_000;
  for (;;) {
    const url = /^Linekeeper ready on (\S+)$/m.exec(text)?.[1];
    if (url !== undefined) return { url, output: () => text };
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the package did not get ready:\n${text}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** The pipes close when npx, the service and its database have all ended. */
async function interrupt(): Promise<void> {
  const closed = once(running!, 'close');
  signalAll('SIGINT');
  await closed;
}

describe('the npm package', () => {
  let unreachable: string | undefined;
  // Not part of a test: how long it takes is the registry's affair, and the disk's.
  before(async () => {
    await run('npm', ['pack', '--pack-destination', home], {
      timeout: 120_000,
      maxBuffer: options.maxBuffer,
    });
    unreachable = await install();
  });

  it('starts the sandbox with npx in an empty folder, serves console and command line, and stops', async (t) => {
    if (unreachable !== undefined) return t.skip(unreachable);
    const service = await startFromPackage();
    assert.match(service.output(), /demo/i);
    const health = await fetch(new URL('/health/ready', service.url));
    assert.equal(health.status, 200);
    const page = await fetch(new URL('/', service.url));
    assert.match(await page.text(), /<script type="module"/);
    const list = await cli('accounts', 'list', '--json');
    assert.ok(JSON.parse(list.stdout).length > 0);
    const samples = await cli('trigger');
    assert.match(samples.stdout, /AlertService/);
    // The clock waits for the fleet, which is a process of its own.
    await cli('clock', 'advance', 'PT1H');
    const fleet = await cli('simulator', '--json');
    assert.equal(JSON.parse(fleet.stdout).running, true);
    await interrupt();
    assert.match(service.output(), /"msg":"stopping"/);
    assert.doesNotMatch(service.output(), /"level":"(warn|error)"/);
    assert.ok(!existsSync(join(dataDir, 'pgdata/postmaster.pid')));
    // What builds the console stays where it is built.
    for (const name of ['vite', 'react', 'typescript'])
      assert.ok(!existsSync(join(home, 'node_modules', name)), name);
  });

  it('carries no source, no test and nothing for development, and keeps line numbers', async () => {
    const unpacked = join(home, 'package');
    await run('tar', ['-xzf', globSync('linekeeper-*.tgz', { cwd: home })[0]!], { cwd: home });
    const files = globSync('**/*', { cwd: unpacked });
    assert.deepEqual(
      files.filter((file) => /\.ts$|(^|\/)(test|bench|deploy|generate)(\/|$)|\.test\./.test(file)),
      [],
    );
    const [source, built] = ['src/main.ts', join(unpacked, 'dist/src/main.js')].map((file) =>
      readFileSync(file, 'utf8').split('\n'),
    );
    const marker = (line: string) => line.includes('const starting = startService');
    assert.equal(built!.findIndex(marker), source!.findIndex(marker));
  });
});
