import type pg from 'pg';
import { copyTo, listParts, listSequences, listTables, quoted, withSession } from './catalogue.ts';
import { copyOut } from './copy.ts';
import { type BackupFile, createBackupFile } from './file.ts';
import {
  BackupError,
  BLOCK_BYTES,
  createFingerprint,
  FORMAT,
  type Header,
  type TableEnd,
  type TableHead,
  type Totals,
  type Watch,
} from './format.ts';

const names = (tables: readonly TableHead[]) => tables.map(({ table }) => table);

/**
 * A snapshot of everything, while others continue to write. The tables are locked first, in the mode that only a change of
 * the schema waits for, because such a change would not respect the snapshot.
 */
async function openSnapshot(client: pg.Client): Promise<TableHead[]> {
  const before = names(await listTables(client));
  if (!before.includes('schema_migration')) throw new BackupError('The database has no Linekeeper tables.');
  await client.query('begin isolation level repeatable read read only');
  await client.query(`lock table ${quoted(before)} in access share mode`);
  const tables = await listTables(client);
  if (names(tables).join() !== before.join())
    throw new BackupError('The schema was being changed; run the backup again.');
  return tables;
}

async function readHeader(client: pg.Client, version: string): Promise<Header> {
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  );
  const { rows } = await client.query<{ server: string }>(
    "select current_setting('server_version') as server",
  );
  return {
    linekeeperBackup: FORMAT,
    version,
    createdAt: new Date().toISOString(),
    server: rows[0]!.server,
    migrations,
    parts: await listParts(client),
    // Sequences are not part of the snapshot, and never behind it.
    sequences: await listSequences(client),
  };
}

async function writeTable(client: pg.Client, file: BackupFile, head: TableHead): Promise<TableEnd> {
  const fingerprint = createFingerprint();
  let [gathered, bytes]: [Buffer[], number] = [[], 0];
  const flush = () => {
    const block = Buffer.concat(gathered, bytes);
    [gathered, bytes] = [[], 0];
    return file.block(block);
  };
  await file.line(head);
  await copyOut(client, copyTo(head), (row) => {
    fingerprint.add(row);
    // The connection reuses its memory for the next message.
    gathered.push(Buffer.from(row));
    bytes += row.length;
    return bytes < BLOCK_BYTES ? undefined : flush();
  });
  if (bytes > 0) await flush();
  await file.line(fingerprint.end());
  return fingerprint.end();
}

export async function writeBackup(
  url: string,
  path: string,
  version: string,
  watch: Watch = () => {},
): Promise<Totals> {
  const file = await createBackupFile(path);
  try {
    return await withSession(url, 'backup', async (client) => {
      const tables = await openSnapshot(client);
      await file.line(await readHeader(client, version));
      let rows = 0;
      for (const [i, table] of tables.entries()) {
        watch(`saving ${table.table}, ${rows} rows so far`, i / tables.length);
        rows += (await writeTable(client, file, table)).rows;
      }
      const totals = { tables: tables.length, rows };
      await file.finish(totals);
      return totals;
    });
  } catch (error) {
    await file.discard();
    throw error;
  }
}
