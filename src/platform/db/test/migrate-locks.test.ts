import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createEmptyDatabase } from '../../../../test/support/database.ts';
import { MIGRATION_LOCK, type Migration, MigrationError, migrate } from '../migrate.ts';

const { url, drop } = await createEmptyDatabase();
const connect = async () => {
  const client = new pg.Client(url);
  await client.connect();
  return client;
};
const [holder, other] = [await connect(), await connect()];
after(async () => {
  await Promise.all([holder.end(), other.end()]);
  await drop();
});

const table: Migration = { name: '0001_a.sql', text: 'create table a (n int)', checksum: '1' };
const column: Migration = { name: '0002_a.sql', text: 'alter table a add column m int', checksum: '2' };
const another: Migration = { name: '0003_a.sql', text: 'alter table a add column o int', checksum: '3' };
await migrate(url, [table]);

const untilItWaits = async () => {
  for (;;) {
    const { rowCount } = await other.query(`
      select from pg_locks l join pg_stat_activity a using (pid)
      where a.application_name = 'linekeeper-migrate' and a.datname = current_database() and not l.granted`);
    if (rowCount !== 0) return;
    await sleep(10);
  }
};
/** Like a backup, which reads every table in one transaction. */
const holdTable = () => holder.query('begin; lock table a in access share mode');

describe('a migration blocked by a lock', () => {
  it('lets others read the table, logs that it tries again, and is applied after the lock is released', async () => {
    const said: object[] = [];
    const log = { info: () => {}, warn: (detail: object) => void said.push(detail) };
    await holdTable();
    const migrated = migrate(url, [table, column], { log, limits: { pauseMs: 200 } });
    await untilItWaits();
    assert.equal((await other.query('select * from a')).rowCount, 0, 'read while the lock is still held');
    await holder.query('commit');
    assert.deepEqual(await migrated, ['0002_a.sql']);
    assert.deepEqual(said[0], { migration: '0002_a.sql', tried: 1 });
  });

  it('gives up with a message after a number of tries, and changes nothing', async () => {
    await holdTable();
    const limits = { lockMs: 20, pauseMs: 1, tries: 3 };
    await assert.rejects(migrate(url, [table, column, another], { limits }), (error: Error) => {
      assert.ok(error instanceof MigrationError);
      assert.match(error.message, /^Migration 0003_a\.sql got no lock on a table in 3 tries .* a backup /);
      return true;
    });
    await holder.query('commit');
    const { fields } = await other.query('select * from a');
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['n', 'm'],
    );
  });
});

describe('a process that starts while another migrates', () => {
  it('waits for it longer than for a lock on a table', async () => {
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrated = migrate(url, [table, column], { limits: { lockMs: 20 } });
    await untilItWaits();
    await sleep(100);
    await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    assert.deepEqual(await migrated, []);
  });

  it('ends with a message that names what it waited for', async () => {
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await assert.rejects(migrate(url, [table, column], { limits: { othersMs: 20 } }), (error: Error) => {
      assert.ok(error instanceof MigrationError);
      assert.match(error.message, /^Another process has been migrating the database/);
      return true;
    });
    await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  });
});
