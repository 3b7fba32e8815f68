import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Any number of processes may start at once: this lock lets one migrate while the others wait. */
export const MIGRATION_LOCK = 0x6c6b6d67;
export const createMigrationTable = `create table if not exists schema_migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
const SERVER_VERSION_MIN = 150_000;
const WAIT_MS = 120_000;

export class MigrationError extends Error {}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(createMigrationTable);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration',
  );
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const known = new Set(migrations.map(({ name }) => name));
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new MigrationError(
        `The database holds migration ${name}, which this version does not know: it is newer than this program.`,
      );
    }
  }
  const done: string[] = [];
  for (const { name, text, checksum } of migrations) {
    const before = applied.get(name);
    if (before === checksum) continue;
    if (before !== undefined) {
      throw new MigrationError(
        `Migration ${name} was applied with another content; migrations are never edited, add a new one.`,
      );
    }
    await client.query('begin');
    try {
      await client.query(text);
      await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new MigrationError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
    done.push(name);
  }
  return done;
}

/** Brings the database to the newest schema; answers the names of what it applied. */
export async function migrate(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    lock_timeout: WAIT_MS,
    application_name: 'linekeeper-migrate',
  });
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw new MigrationError(`The database cannot be reached: ${error.message}.`, { cause: error });
  });
  try {
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    );
    if (Number(rows[0]?.version) < SERVER_VERSION_MIN) {
      throw new MigrationError(`PostgreSQL 15 or newer is needed; this server is ${rows[0]?.version}.`);
    }
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await applyMissing(client, migrations);
  } finally {
    // Ending the connection gives the lock back.
    await client.end();
  }
}
