import type pg from 'pg';
import { whyInUse } from '../db/connection.ts';
import { createMigrationTable, MIGRATION_LOCK, type Migration } from '../db/migrate.ts';
import * as catalogue from './catalogue.ts';
import { withSession } from './catalogue.ts';
import { copyIn, copyOut } from './copy.ts';
import { openBackup, verifyBackup } from './file.ts';
import {
  BackupError,
  createFingerprint,
  type Header,
  type TableEnd,
  type TableHead,
  type Totals,
  type Watch,
} from './format.ts';

const { quoted } = catalogue;

/** Chooses the schema of the backup; the start of the service applies newer migrations. */
function chooseMigrations(header: Header, known: readonly Migration[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  return header.migrations.map(({ name, checksum }) => {
    const migration = byName.get(name);
    if (migration?.checksum === checksum) return migration;
    throw new BackupError(
      `The backup was made by version ${header.version} and needs migration ${name}, which this program does not have.`,
    );
  });
}

async function makeRoom(client: pg.Client, force: boolean): Promise<void> {
  const reason = await whyInUse(client);
  if (reason !== undefined) throw new BackupError(reason);
  const drops = await catalogue.listDrops(client);
  if (drops.length > 0 && !force)
    throw new BackupError('The database is not empty; --force replaces everything in it.');
  for (const drop of drops) await client.query(drop);
}

async function loadTables(
  client: pg.Client,
  path: string,
  begin: (table: string, done: number) => void,
): Promise<(readonly [TableHead, TableEnd])[]> {
  const reader = await openBackup(path);
  const loaded: (readonly [TableHead, TableEnd])[] = [];
  try {
    for (let head = await reader.nextTable(); head !== undefined; head = await reader.nextTable()) {
      const { table, columns } = head;
      begin(table, loaded.length);
      // Migrations insert rows into some tables.
      await client.query(`truncate ${quoted([table])}`);
      await client.query(`alter table ${quoted([table])} disable trigger user`);
      await copyIn(client, `copy ${quoted([table])} (${quoted(columns)}) from stdin`, reader.blocks());
      await client.query(`alter table ${quoted([table])} enable trigger user`);
      loaded.push([head, reader.tableEnd()]);
    }
    return loaded;
  } finally {
    reader.close();
  }
}

async function compare(client: pg.Client, head: TableHead, wanted: TableEnd): Promise<void> {
  const fingerprint = createFingerprint();
  await copyOut(client, catalogue.copyTo(head), (row) => {
    fingerprint.add(row);
    return undefined;
  });
  const found = fingerprint.end();
  if (found.rows !== wanted.rows || found.fingerprint !== wanted.fingerprint)
    throw new BackupError(`The restored rows of ${head.table} differ from the backup; nothing was changed.`);
}

interface RestoreOptions {
  readonly migrations: readonly Migration[];
  readonly force: boolean;
  readonly watch?: Watch;
}

/** Restores everything or nothing: until the end the database is unchanged. */
export async function restoreBackup(
  url: string,
  path: string,
  { migrations, force, watch = () => {} }: RestoreOptions,
): Promise<Totals> {
  watch('checking the file', 0);
  const { header, tables } = await verifyBackup(path);
  const chosen = chooseMigrations(header, migrations);
  return withSession(url, 'restore', async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await makeRoom(client, force);
    await client.query(createMigrationTable);
    for (const { text } of chosen) await client.query(text);
    for (const part of header.parts ?? []) await catalogue.makePart(client, part);
    const references = await catalogue.listReferences(client);
    for (const { drop } of references) await client.query(drop);
    const loaded = await loadTables(client, path, (table, done) =>
      watch(`loading ${table}`, done / tables / 2),
    );
    for (const { add } of references) await client.query(add);
    for (const sequence of header.sequences) await catalogue.setSequence(client, sequence);
    for (const [i, [head, wanted]] of loaded.entries()) {
      watch(`comparing ${head.table}`, (1 + i / tables) / 2);
      await compare(client, head, wanted);
    }
    await client.query('commit');
    await client.query('analyze');
    return { tables: loaded.length, rows: loaded.reduce((sum, [, { rows }]) => sum + rows, 0) };
  });
}
