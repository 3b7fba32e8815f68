import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

/** A checkout with runtime dependencies only: it has the sources, but no build tools. */
const checkout = mkdtempSync(join(tmpdir(), 'linekeeper-no-builder-'));
const folder = join(checkout, 'clients/console');
cpSync('clients/console/build.ts', join(folder, 'build.ts'));
after(() => rmSync(checkout, { recursive: true, force: true }));

/** The script that npm runs as `prepare` and before `npm start`. */
function prepare(env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'build.ts')], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, said: stdout + stderr };
}

describe('preparing the console without its build tools', () => {
  it('reports what to install and lets the service start', () => {
    const { status, said } = prepare();
    assert.equal(status, 0);
    assert.match(said, /\/ will be empty: .*npm ci --include=dev/);
    assert.ok(!existsSync(join(folder, 'dist')));
  });

  it('keeps an earlier build of the console', () => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/built-from'), 'other sources');
    const { status, said } = prepare();
    assert.equal(status, 0);
    assert.match(said, /the previous build is served: .*npm ci --include=dev/);
    assert.ok(existsSync(join(folder, 'dist/built-from')));
  });

  it('is silent if no console is wanted', () =>
    assert.deepEqual(prepare({ LINEKEEPER_CONSOLE: 'off' }), { status: 0, said: '' }));
});
