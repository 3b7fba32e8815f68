import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from '../db.ts';
import { type Migration, MigrationError, migrate, readMigrations } from '../migrate.ts';
import { sql } from '../sql.ts';
import { openProxy } from './proxy.ts';

const one: Migration = { name: '0001_a.sql', text: 'create table a (n int)', checksum: '1' };
const two: Migration = { name: '0002_b.sql', text: 'create table b (n int)', checksum: '2' };
const broken: Migration = {
  name: '0003_c.sql',
  text: 'create table c (n int); select nonsense',
  checksum: '3',
};

/** The last message of a client. */
const GOODBYE = 'X\0\0\0\x04';

async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createEmptyDatabase();
  try {
    await work(url);
  } finally {
    await drop();
  }
}

describe('migrations', () => {
  it('are applied once, in order, and only if they are missing', () =>
    withDatabase(async (url) => {
      assert.deepEqual(await migrate(url, [one]), ['0001_a.sql']);
      assert.deepEqual(await migrate(url, [one, two]), ['0002_b.sql']);
      assert.deepEqual(await migrate(url, [one, two]), []);
    }));

  it('are applied once by any number of processes that start together', () =>
    withDatabase(async (url) => {
      const all = await readMigrations(fileURLToPath(new URL('../../../../migrations/', import.meta.url)));
      const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(url, all)));
      assert.deepEqual(
        applied.flat().sort(),
        all.map(({ name }) => name),
      );
    }));

  it('are complete even if the server vanishes before it answers the last message', { timeout: 30_000 }, () =>
    withDatabase(async (url) => {
      const proxy = await openProxy(url);
      proxy.vanishOn(GOODBYE);
      assert.deepEqual(await migrate(proxy.url, [one]), ['0001_a.sql']);
      await proxy.close();
    }),
  );

  it('undo one that fails, and name it', () =>
    withDatabase(async (url) => {
      await assert.rejects(migrate(url, [one, two, broken]), /Migration 0003_c\.sql failed/);
      const db = openDatabase(url);
      const tables = await db.many<{ t: string }>(
        sql`select tablename as t from pg_tables where schemaname = 'public' order by 1`,
      );
      await db.close();
      assert.deepEqual(
        tables.map(({ t }) => t),
        ['a', 'b', 'schema_migration'],
      );
    }));

  it('are refused if they were edited after they were applied', () =>
    withDatabase(async (url) => {
      await migrate(url, [one, two]);
      await assert.rejects(migrate(url, [one, { ...two, checksum: 'other' }]), /never edited/);
    }));

  it('of a distributed database place new tables before they are filled', () =>
    withDatabase(async (url) => {
      const text = `create table a (t text); -- with ; in a comment
        create index on a (t);
        insert into a values ('it''s; $$'); do $x$ begin insert into a values ('b'); end; $x$; /* c; */ create table c ();`;
      const rowsWhenPlaced: number[] = [];
      await migrate(url, [{ ...one, text }], {
        findDistributing: async (client) => ({
          settings: [],
          place: async () => void rowsWhenPlaced.push((await client.query('select from a')).rowCount!),
        }),
      });
      assert.deepEqual(rowsWhenPlaced, [0, 2]);
    }));

  it('are accepted if they were applied with the earlier text that they name', () =>
    withDatabase(async (url) => {
      await migrate(url, [one, two]);
      assert.deepEqual(await migrate(url, [one, { ...two, checksum: 'other', earlierChecksum: '2' }]), []);
    }));

  it('with the old numbers are refused with instructions, and nothing is changed', () =>
    withDatabase(async (url) => {
      await migrate(url, [
        { ...one, checksum: 'of old' },
        { ...two, name: '0019_b__more.sql' },
      ]);
      await assert.rejects(migrate(url, [one, two]), /renumbered.*delete the data folder.*linekeeper export/);
    }));

  it('are refused if two have the same number', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linekeeper-migrations-'));
    for (const name of ['0001_a.sql', '0002_b.sql', '0002_c.sql'])
      writeFileSync(join(folder, name), 'select 1');
    await assert.rejects(readMigrations(folder), /Two migrations have the number 0002/);
    rmSync(folder, { recursive: true });
  });

  it('of a newer version are refused', () =>
    withDatabase(async (url) => {
      await migrate(url, [one, two]);
      await assert.rejects(migrate(url, [one]), /newer than this program/);
    }));

  it('report that the database cannot be reached, without its password', () =>
    assert.rejects(
      migrate('postgres://u:hidden-word@127.0.0.1:1/x', [one]),
      (error: Error) => error instanceof MigrationError && !error.message.includes('hidden-word'),
    ));
});
