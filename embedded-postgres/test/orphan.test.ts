import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { clearAbandoned } from '../index.ts';
import { isAlive, isServerOf } from '../stop-server.ts';
import { query, runService, startServer, temporaryFolder } from './support.ts';

// Most of the time goes into initdb, which uses one core.
describe('what a killed service leaves behind', { concurrency: 2 }, () => {
  test('after a kill of the service the next start takes over, with all that was committed', async (t) => {
    const dataDir = await temporaryFolder(t);
    const service = runService(t, dataDir);
    const orphan = await service.report;
    await query(orphan.url, 'CREATE TABLE kept (n int)', 'INSERT INTO kept VALUES (7)');
    await service.kill('SIGKILL');
    assert.ok(await isServerOf(orphan.pid, orphan.clusterDir), 'the server outlives its service');

    const server = await startServer(t, dataDir);
    assert.equal(await isServerOf(orphan.pid, orphan.clusterDir), false);
    assert.deepEqual(await query(server.url, 'SELECT n FROM kept'), [{ n: 7 }]);
  });

  test('after a kill of service and server the next start recovers what was committed', async (t) => {
    const dataDir = await temporaryFolder(t);
    const service = runService(t, dataDir);
    const { url, pid } = await service.report;
    await query(url, 'CREATE TABLE kept (n int)', 'INSERT INTO kept VALUES (7)');
    await service.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');

    const server = await startServer(t, dataDir);
    assert.deepEqual(await query(server.url, 'SELECT n FROM kept'), [{ n: 7 }]);
  });

  for (const [what, next] of [
    ['next start', startServer],
    [
      'deletion of the folder',
      async (_: TestContext, dataDir: string) => assert.ok(await clearAbandoned(dataDir, 'mark', () => {})),
    ],
  ] as const)
    test(`after a kill during the preparation of a cluster the ${what} stops its server`, async (t) => {
      const dataDir = await temporaryFolder(t);
      const service = runService(t, dataDir, { mode: 'prepare', cacheDir: await temporaryFolder(t) });
      await service.report;
      const [pidFile] = globSync(join(dataDir, 'pgdata.init-*/cluster/postmaster.pid'));
      const pid = Number.parseInt(await readFile(pidFile!, 'utf8'), 10);
      await service.kill('SIGKILL');
      assert.ok(isAlive(pid), 'the server outlives its service');

      await next(t, dataDir);
      assert.equal(await isServerOf(pid, dirname(pidFile!)).catch(() => false), false);
      assert.deepEqual(globSync(join(dataDir, 'pgdata.init-*')), []);
    });

  test('a stale postmaster.pid with the reused process id of a stranger does no harm', async (t) => {
    const dataDir = await temporaryFolder(t);
    const stranger = runService(t, await temporaryFolder(t), { mode: 'lock' });
    await stranger.report;
    const first = await startServer(t, dataDir);
    const pidFile = join(first.clusterDir, 'postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await first.stop();

    await writeFile(pidFile, [stranger.process.pid, ...lines.slice(1)].join('\n'));
    const second = await startServer(t, dataDir);
    await query(second.url, 'SELECT 1');
    assert.equal(stranger.process.exitCode ?? stranger.process.signalCode, null);
  });

  test('a server of another cluster is not taken for the orphan', async (t) => {
    const other = await startServer(t, await temporaryFolder(t));
    const dataDir = await temporaryFolder(t);
    const first = await startServer(t, dataDir);
    await first.stop();

    await writeFile(join(first.clusterDir, 'postmaster.pid'), `${other.pid}\n${first.clusterDir}\n`);
    const second = await startServer(t, dataDir);
    await query(second.url, 'SELECT 1');
    await query(other.url, 'SELECT 1');
  });
});
