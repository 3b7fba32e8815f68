import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { EmbeddedPostgres, Preparation } from '../index.ts';
import { needsRoot, query, startServer, temporaryFolder } from './support.ts';

const fill = async (url: string) => {
  await query(url, 'CREATE TABLE filled AS SELECT 42 AS answer');
  return {};
};

/** To some programs that read archives, a colon follows the name of another machine. */
async function prepare(t: TestContext, more: Partial<Preparation> = {}): Promise<Preparation> {
  return { folder: join(await temporaryFolder(t), 'a:folder'), key: 'test', fill, ...more };
}

const start = async (t: TestContext, preparation: Preparation, dataDir?: string): Promise<EmbeddedPostgres> =>
  startServer(t, dataDir ?? (await temporaryFolder(t)), { preparation });

const usedBytes = (file: string): number => statSync(file).blocks * 512;

suite('a prepared cluster', () => {
  test('is filled once, and every new folder begins with a copy that is its own', async (t) => {
    const counted = t.mock.fn(fill);
    const preparation = await prepare(t, { fill: counted });
    const servers = [await start(t, preparation), await start(t, preparation)];
    assert.equal(counted.mock.callCount(), 1);
    assert.deepEqual(
      servers.map(({ isPrepared }) => isPrepared),
      [true, true],
    );
    const [first, second] = servers.map(({ url }) => url) as [string, string];
    assert.notEqual(new URL(first).password, new URL(second).password);
    await query(first, 'UPDATE filled SET answer = 1');
    assert.deepEqual(await query(second, 'SELECT answer FROM filled'), [{ answer: 42 }]);
  });

  test('comes with its note, and is prepared again when it is no longer valid', async (t) => {
    let fills = 0;
    const preparation = await prepare(t, {
      async fill(url) {
        await query(url, `CREATE TABLE filled AS SELECT ${++fills} AS answer`);
        // The first one is outdated as soon as it is there.
        return { note: `note ${fills}`, validUntil: new Date(fills === 1 ? 0 : '2999-01-01') };
      },
    });
    for (const answer of [1, 2, 2]) {
      const { note, url } = await start(t, preparation);
      assert.equal(note, `note ${answer}`);
      assert.deepEqual(await query(url, 'SELECT answer FROM filled'), [{ answer }]);
    }
    assert.equal(fills, 2);
  });

  test('is copied with neither an unused database nor the empty rest of the log', async (t) => {
    const { clusterDir, url } = await start(t, await prepare(t));
    const names = (await query(url, 'SELECT datname AS name FROM pg_database ORDER BY datname')).map(
      ({ name }) => name,
    );
    assert.deepEqual(names, ['linekeeper', 'postgres', 'template0']);
    const log = join(clusterDir, 'pg_wal');
    const files = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name));
    const total = files.map((name) => usedBytes(join(log, name))).reduce((sum, bytes) => sum + bytes, 0);
    assert.ok(total < 4 * 1024 * 1024, `${files.length} files of the log take ${total} bytes`);
  });

  test('is usable after the cache was copied without its owners', { skip: needsRoot }, async (t) => {
    const preparation = await prepare(t);
    await start(t, preparation);
    execFileSync('chown', ['-R', '0:0', preparation.folder]);
    const { isPrepared, url } = await start(t, preparation);
    assert.equal(isPrepared, true);
    assert.deepEqual(await query(url, 'SELECT answer FROM filled'), [{ answer: 42 }]);
  });

  test('is prepared again if its archive is damaged', async (t) => {
    const counted = t.mock.fn(fill);
    const preparation = await prepare(t, { fill: counted });
    await start(t, preparation);
    const [name] = readdirSync(preparation.folder);
    const archive = join(preparation.folder, name!, 'pgdata.tar');
    const { size } = statSync(archive);
    for (const damage of [
      // What is left would do as an archive, without its last blocks.
      () => truncateSync(archive, size - 1_024),
      () => writeFileSync(archive, Buffer.alloc(size, 'x')),
      () => {},
    ]) {
      damage();
      const { isPrepared, url } = await start(t, preparation);
      assert.equal(isPrepared, true);
      assert.deepEqual(await query(url, 'SELECT answer FROM filled'), [{ answer: 42 }]);
    }
    assert.equal(counted.mock.callCount(), 3);
  });

  test('is kept for others if only the place of a copy fails', async (t) => {
    const preparation = await prepare(t);
    await start(t, preparation);
    const [name] = readdirSync(preparation.folder);
    const before = statSync(join(preparation.folder, name!));
    // Like a disk without room: nothing can be unpacked.
    const programs = await temporaryFolder(t);
    const path = process.env['PATH'];
    writeFileSync(
      join(programs, 'tar'),
      `#!/bin/sh\ncase "$*" in *-xpm*) echo 'No space left on device' >&2; exit 2 ;; esac\nPATH='${path}' exec tar "$@"\n`,
      { mode: 0o755 },
    );
    t.after(() => {
      process.env['PATH'] = path;
    });
    process.env['PATH'] = `${programs}:${path}`;
    const failures: string[] = [];
    const { url } = await startServer(t, await temporaryFolder(t), {
      preparation,
      log: (line) => failures.push(line),
    });
    assert.deepEqual(await query(url, 'SELECT answer FROM filled'), [{ answer: 42 }]);
    assert.ok(failures.some((line) => line.includes('cannot be copied')));
    assert.deepEqual(readdirSync(preparation.folder), [name]);
    assert.equal(statSync(join(preparation.folder, name!)).ino, before.ino);
  });

  test('can be written to beyond the log that it came with, crashes included', async (t) => {
    const preparation = await prepare(t);
    const dataDir = await temporaryFolder(t);
    const server = await start(t, preparation, dataDir);
    // More than one file of the log.
    await query(
      server.url,
      'CREATE TABLE much AS SELECT repeat(md5(n::text), 50) AS text FROM generate_series(1, 20000) n',
    );
    process.kill(server.pid, 'SIGQUIT');
    await server.exited;
    const again = await start(t, preparation, dataDir);
    assert.equal(again.isPrepared, false);
    assert.deepEqual(await query(again.url, 'SELECT count(*)::int AS rows FROM much'), [{ rows: 20_000 }]);
    assert.deepEqual(await query(again.url, 'SELECT answer FROM filled'), [{ answer: 42 }]);
  });

  test('is made by one of several that start at once, and all have it', async (t) => {
    const preparation = await prepare(t);
    const servers = await Promise.all([1, 2, 3].map(() => start(t, preparation)));
    for (const { url } of servers)
      assert.deepEqual(await query(url, 'SELECT answer FROM filled'), [{ answer: 42 }]);
    assert.equal(readdirSync(preparation.folder).length, 1);
  });

  test('that a killed start left half is never used, and goes when it is old', async (t) => {
    const preparation = await prepare(t);
    const [old, young] = ['draft-000001', 'draft-000002'].map((name) => join(preparation.folder, name));
    for (const draft of [old!, young!]) mkdirSync(join(draft, 'pgdata'), { recursive: true });
    const long = new Date(Date.now() - 7_200_000);
    utimesSync(old!, long, long);
    const { url } = await start(t, preparation);
    assert.deepEqual(await query(url, 'SELECT answer FROM filled'), [{ answer: 42 }]);
    const left = readdirSync(preparation.folder).filter((name) => name.startsWith('draft-'));
    assert.deepEqual(left, ['draft-000002']);
  });

  test('is used by its own start even if it cannot be kept for others', async (t) => {
    const file = join(await temporaryFolder(t), 'file');
    writeFileSync(file, '');
    const { isPrepared, url } = await start(t, await prepare(t, { folder: join(file, 'folder') }));
    assert.equal(isPrepared, true);
    assert.deepEqual(await query(url, 'SELECT answer FROM filled'), [{ answer: 42 }]);
  });

  test('that cannot be made is done without, and nothing of it is kept', async (t) => {
    const preparation = await prepare(t, {
      fill: async () => {
        throw new Error('no tables today');
      },
    });
    const { isPrepared, url } = await start(t, preparation);
    assert.equal(isPrepared, false);
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
    assert.equal(existsSync(preparation.folder), false);
  });
});
