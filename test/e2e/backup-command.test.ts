import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';

const [first, second] = [makeDataDir(), makeDataDir()];
const folder = mkdtempSync(join(tmpdir(), 'linekeeper-saved-'));
after(() => {
  for (const dataDir of [first, second]) removeDataDir(dataDir);
  rmSync(folder, { recursive: true, force: true });
});
const file = join(folder, 'linekeeper.backup');

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const linekeeper = (dataDir: string, ...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, LINEKEEPER_DATA_DIR: dataDir };
    execFile(process.execPath, ['bin/linekeeper.js', ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });

const listAccounts = async (dataDir: string) =>
  JSON.parse((await linekeeper(dataDir, 'accounts', 'list', '--json')).out);

describe('linekeeper backup and restore', () => {
  it('copy the embedded database of a running sandbox to another data folder', async () => {
    const source = await startServiceProcess(first, { LINEKEEPER_DEMO: 'on' });
    const saved = await linekeeper(first, 'backup', file);
    assert.equal(saved.code, 0, saved.err);
    assert.match(saved.out, /^Saved \d+ rows of \d+ tables/);
    const accounts = await listAccounts(first);
    const inUse = await linekeeper(first, 'restore', file, '--force');
    assert.deepEqual([inUse.code, inUse.out], [1, '']);
    assert.match(inUse.err, /in use by another Linekeeper/);
    await source.stop();

    const restored = await linekeeper(second, 'restore', file, '--json');
    assert.deepEqual([restored.code, restored.err], [0, '']);
    const { tables, rows } = JSON.parse(restored.out);
    assert.equal(saved.out, `Saved ${rows} rows of ${tables} tables in ${file}.\n`);
    assert.equal((await linekeeper(second, 'restore', file)).code, 1);
    assert.equal((await linekeeper(second, 'restore', file, '--force')).code, 0);
    for (const key of ['secret-key', 'operator-key']) copyFileSync(join(first, key), join(second, key));
    const target = await startServiceProcess(second);
    assert.doesNotMatch(target.output(), /lacks the key/);
    assert.ok(accounts.length > 0);
    assert.deepEqual(await listAccounts(second), accounts);
    await target.stop();
  });

  it('report in one sentence what is missing', async () => {
    const nothing = join(folder, 'nothing');
    const wrong = await linekeeper(nothing, 'backup');
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /missing required argument 'file'.*\nExample: linekeeper backup /);
    const none = await linekeeper(nothing, 'backup', join(folder, 'other.backup'));
    assert.deepEqual([none.code, existsSync(nothing)], [1, false]);
    assert.match(none.err, /^linekeeper: There is no data folder .*\n$/);
    const absent = await linekeeper(second, 'restore', join(folder, 'absent'), '--force');
    assert.deepEqual([absent.code, absent.err.split('\n').length], [1, 2]);
    assert.match(absent.err, /ENOENT/);
  });
});
