import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../index.ts';
import { isServerOf } from '../stop-server.ts';
import { query, startServer, temporaryFolder } from './support.ts';

// Most of the time goes into initdb, which uses one core.
describe('the life of a server', { concurrency: 2 }, () => {
  test('a restart keeps the data, also in a folder whose path holds spaces', async (t) => {
    const dataDir = join(await temporaryFolder(t), 'my data', 'of today');
    const first = await startServer(t, dataDir);
    await query(first.url, 'CREATE TABLE kept (n int)', 'INSERT INTO kept VALUES (7)');
    await first.stop();
    assert.equal(await first.exited, 0);

    const second = await startServer(t, dataDir);
    assert.deepEqual(await query(second.url, 'SELECT n FROM kept'), [{ n: 7 }]);
  });

  test('a server whose data nobody keeps stops without writing them, and with nothing left running', async (t) => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const dataDir = await temporaryFolder(t);
    const server = await startServer(t, dataDir, { keepsData: false, log });
    await query(server.url, 'CREATE TABLE lost (n int)');
    await server.stop();
    await server.exited;
    const isTold = () => lines.some((line) => line.includes('received immediate shutdown request'));
    for (let n = 0; n < 600 && !isTold(); n++) await sleep(100);
    assert.ok(isTold(), lines.join('\n'));
    assert.equal(await isServerOf(server.pid, server.clusterDir), false);
  });

  test('a new database has UTF-8, the C.UTF-8 locale, checksums and local access only', async (t) => {
    const server = await startServer(t, await temporaryFolder(t));
    const [row] = await query(
      server.url,
      `SELECT current_database() AS name, pg_encoding_to_char(encoding) AS encoding, datlocale AS locale,
            current_setting('data_checksums') AS checksums, current_setting('listen_addresses') AS addresses,
            current_setting('unix_socket_directories') AS sockets
       FROM pg_database WHERE datname = current_database()`,
    );
    assert.deepEqual(row, {
      name: 'linekeeper',
      encoding: 'UTF8',
      locale: 'C.UTF-8',
      checksums: 'on',
      addresses: '127.0.0.1',
      sockets: '',
    });
  });

  test('an unexpected end of the server shows, and the next start recovers or says why not', async (t) => {
    const dataDir = await temporaryFolder(t);
    const server = await startServer(t, dataDir);
    process.kill(server.pid, 'SIGKILL');
    assert.equal(await server.exited, null);
    await server.stop();

    await assert.rejects(
      startEmbeddedPostgres({ dataDir, settings: { shared_buffers: 'plenty' } }),
      (error) => {
        assert.ok(error instanceof EmbeddedPostgresError);
        assert.match(
          error.message,
          /did not start\.\n.*invalid value for parameter "shared_buffers": "plenty"/,
        );
        return true;
      },
    );

    const next = await startServer(t, dataDir);
    await query(next.url, 'SELECT 1');
  });

  test('the password is needed, private to its owner, and may be lost or changed', async (t) => {
    const dataDir = await temporaryFolder(t);
    const first = await startServer(t, dataDir);
    const file = join(dataDir, 'postgres-password');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const url = new URL(first.url);
    assert.equal((await readFile(file, 'utf8')).trim(), url.password);
    url.password = 'wrong';
    await assert.rejects(query(url.href, 'SELECT 1'), /password authentication failed/);
    await query(first.url, 'CREATE TABLE kept ()');
    await first.stop();

    await rm(file);
    const second = await startServer(t, dataDir);
    assert.notEqual(second.url.split('@')[0], first.url.split('@')[0]);
    await query(second.url, 'SELECT FROM kept');
    await second.stop();

    const third = await startServer(t, dataDir, { password: "it's: a/secret\\ä" });
    await query(third.url, 'SELECT FROM kept');
  });

  test('a cluster of another major version is refused by name and left as it is', async (t) => {
    const dataDir = await temporaryFolder(t);
    const server = await startServer(t, dataDir);
    await server.stop();
    const versionFile = join(server.clusterDir, 'PG_VERSION');
    await writeFile(versionFile, '15\n');
    const before = await readdir(server.clusterDir);
    await assert.rejects(startEmbeddedPostgres({ dataDir }), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, /was made by PostgreSQL 15, but this Linekeeper brings PostgreSQL 18/);
      return true;
    });
    assert.deepEqual(await readdir(server.clusterDir), before);
  });
});
