import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { removeDataDir } from '../support/service-process.ts';

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'linekeeper-package-'));
const installed = join(home, 'node_modules/linekeeper');
const dataDir = join(home, '.linekeeper');
let running: ChildProcess | undefined;
after(async () => {
  // A failed test must not leave a service behind, which would keep this process from ending.
  if (running?.exitCode === null) {
    running.kill('SIGKILL');
    await once(running, 'exit');
  }
  removeDataDir(dataDir);
  rmSync(home, { recursive: true, force: true });
});

/**
 * What `npm install linekeeper-x.tgz` does, without a network: the tarball is unpacked, and only what package.json
 * names for run time is linked beside it, so that a file which imports anything else does not start.
 */
async function install(): Promise<void> {
  await run('npm', ['pack', '--pack-destination', home], { timeout: 120_000, maxBuffer: 16 * 1024 * 1024 });
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', globSync('linekeeper-*.tgz', { cwd: home })[0]!, '-C', installed, '--strip=1'], {
    cwd: home,
  });
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const [from, to] = [resolve('node_modules', name), join(home, 'node_modules', name)];
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  }
}

const BIN = join(installed, 'bin/linekeeper.js');
const env = { ...process.env, LINEKEEPER_PORT: '0', NODE_COMPILE_CACHE: '' };

async function startFromPackage(): Promise<{ url: string; output: () => string; stop(): Promise<unknown> }> {
  const child = spawn(process.execPath, [BIN], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const until = Date.now() + 60_000;
  for (;;) {
    const url = /^Linekeeper ready on (\S+)$/m.exec(text)?.[1];
    if (url !== undefined) {
      const stop = async () => {
        child.kill('SIGTERM');
        return (await once(child, 'exit'))[0];
      };
      return { url, output: () => text, stop };
    }
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the package did not get ready:\n${text}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

describe('the npm package', () => {
  it('starts the sandbox in an empty folder, serves console and command line, and stops', async () => {
    await install();
    const service = await startFromPackage();
    assert.match(service.output(), /demo/i);
    const health = await fetch(new URL('/health/ready', service.url));
    assert.equal(health.status, 200);
    const page = await fetch(new URL('/', service.url));
    assert.match(await page.text(), /<script type="module"/);
    const list = await run(process.execPath, [BIN, 'accounts', 'list', '--json'], { cwd: home, env });
    assert.ok(JSON.parse(list.stdout).length > 0);
    const samples = await run(process.execPath, [BIN, 'trigger'], { cwd: home, env });
    assert.match(samples.stdout, /AlertService/);
    // The clock waits for the fleet, which is a process of its own.
    await run(process.execPath, [BIN, 'clock', 'advance', 'PT1H'], { cwd: home, env });
    const fleet = await run(process.execPath, [BIN, 'simulator', '--json'], { cwd: home, env });
    assert.equal(JSON.parse(fleet.stdout).running, true);
    assert.doesNotMatch(service.output(), /"level":"(warn|error)"/);
    assert.equal(await service.stop(), 0);
  });

  it('carries no source, no test and nothing for development, and keeps line numbers', () => {
    const files = globSync('**/*', { cwd: installed });
    assert.deepEqual(
      files.filter((file) => /\.ts$|(^|\/)(test|bench|deploy|generate)(\/|$)|\.test\./.test(file)),
      [],
    );
    const [source, built] = ['src/main.ts', join(installed, 'dist/src/main.js')].map((file) =>
      readFileSync(file, 'utf8').split('\n'),
    );
    const marker = (line: string) => line.includes('const starting = startService');
    assert.equal(built!.findIndex(marker), source!.findIndex(marker));
  });
});
