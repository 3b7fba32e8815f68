import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../telemetry/log.ts';
import { withConnection } from './connection.ts';

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Of an earlier text with the same result, if the text had to be edited. */
  readonly earlierChecksum?: string | undefined;
}

/** Any number of processes may start at once: this lock lets one migrate while the others wait. */
export const MIGRATION_LOCK = 0x6c6b6d67;
export const createMigrationTable = `create table if not exists schema_migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
const SERVER_VERSION_MIN = 150_000;
/** No version was released with the old numbers, so nothing converts them. */
const OLD_NUMBERS =
  'This database was created before migrations were renumbered, and this version cannot use it. For a sandbox, delete the data folder ' +
  '(LINEKEEPER_DATA_DIR, or .linekeeper) and start again. To keep a fleet, start the version that created it, run ' +
  '"linekeeper export -o fleet.json", and import that file into a new database.';
const MINUTE_MS = 60_000;
/** Another transaction holds a lock that a migration needs, or waits for one that it holds: both are temporary. */
const LOCK_CONFLICTS = new Set(['55P03', '40P01']);

export class MigrationError extends Error {}

interface MigrationLimits {
  /** Time limit for the process that migrates first; the startup probe of deploy/ allows as much. */
  readonly othersMs: number;
  /** Time limit for a lock on a table. All later statements wait behind one that waits for a lock, even reads. */
  readonly lockMs: number;
  readonly tries: number;
  readonly pauseMs: number;
}
const LIMITS: MigrationLimits = { othersMs: 15 * MINUTE_MS, lockMs: 2_500, tries: 20, pauseMs: 5_000 };

/** What a database that is distributed over several servers needs. */
export interface Distributing {
  /** For the connection that migrates. */
  readonly settings: readonly string[];
  /** Moves the rows of tables that were created since to where they belong. */
  place(): Promise<void>;
}

interface Waiting {
  readonly client: pg.Client;
  readonly limits: MigrationLimits;
  readonly log: Pick<Log, 'info' | 'warn'> | undefined;
}
interface Migrating extends Waiting {
  readonly distributing: Distributing | undefined;
}

/** Without a limit, a statement would wait forever for a server that vanished. Migrations themselves have no limit. */
const quick = (text: string, values: unknown[] = []) => ({ text, values, query_timeout: 10_000 });
const codeOf = (error: unknown) => (error as { code?: unknown }).code;
const isLockConflict = (error: unknown) => LOCK_CONFLICTS.has(String(codeOf(error)));

export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const twice = files.find((name, index) => files[index + 1]?.slice(0, 4) === name.slice(0, 4));
  if (twice !== undefined)
    throw new MigrationError(
      `Two migrations have the number ${twice.slice(0, 4)}: give one of them the next free number.`,
    );
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { name, text, checksum, earlierChecksum: /^-- Same as ([0-9a-f]{64})/.exec(text)?.[1] };
    }),
  );
}

const QUOTED_COMMENTED_OR_END = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*.*?\*\/|(\$\w*\$).*?\1|;/gs;

/** The statements of a migration, without comments before them: it is cut where a semicolon is neither quoted nor in a comment. */
function splitStatements(text: string): string[] {
  const ends = [...text.matchAll(QUOTED_COMMENTED_OR_END)].flatMap(({ 0: found, index }) =>
    found === ';' ? [index] : [],
  );
  return [0, ...ends.map((end) => end + 1)]
    .map((from, n) => text.slice(from, ends[n]).replace(/^(\s|--[^\n]*)*/, ''))
    .filter((statement) => statement !== '');
}

/**
 * The servers of a distributed database are sent the whole text of a query, so each statement is a query of its own. New tables
 * are placed before any is filled, because they may refer to rows that are elsewhere.
 */
async function runDistributed(
  client: pg.Client,
  text: string,
  { settings, place }: Distributing,
): Promise<void> {
  for (const setting of settings) await client.query(setting);
  for (const statement of splitStatements(text)) {
    if (/^insert/i.test(statement)) await place();
    await client.query(statement);
  }
  await place();
}

async function applyOnce(
  { client, distributing }: Migrating,
  { name, text, checksum }: Migration,
): Promise<void> {
  await client.query('begin');
  try {
    if (distributing === undefined) await client.query(text);
    else await runDistributed(client, text, distributing);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** On a lock conflict, undoes the whole migration and pauses, so that others wait behind it only for a moment. */
async function apply(migrating: Migrating, migration: Migration): Promise<void> {
  const { limits, log } = migrating;
  const { name } = migration;
  for (let tried = 1; ; tried++) {
    try {
      return await applyOnce(migrating, migration);
    } catch (error) {
      if (!isLockConflict(error))
        throw new MigrationError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      if (tried >= limits.tries)
        throw new MigrationError(
          `Migration ${name} got no lock on a table in ${tried} tries and has changed nothing: a backup or a long transaction blocks it. Start again when that has ended.`,
          { cause: error },
        );
      log?.warn(
        { migration: name, tried },
        'a migration was blocked by a lock of another transaction and tries again',
      );
      await sleep(limits.pauseMs);
    }
  }
}

/** One process migrates, and the others wait here. Ending the connection releases the lock. */
async function waitForLock({ client, limits, log }: Waiting): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    quick('select pg_try_advisory_lock($1) as free', [MIGRATION_LOCK]),
  );
  if (!rows[0]?.free) {
    log?.info('another process is migrating the database: waiting for it');
    await client.query(`set lock_timeout = ${Math.round(limits.othersMs)}`);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]).catch((error: unknown) => {
      if (!isLockConflict(error)) throw error;
      const minutes = Math.round(limits.othersMs / MINUTE_MS);
      throw new MigrationError(
        `Another process has been migrating the database, restoring or sharding it for ${minutes} minutes. Start again when it has ended.`,
        { cause: error },
      );
    });
  }
  await client.query(`set lock_timeout = ${Math.round(limits.lockMs)}`);
}

async function applyMissing(migrating: Migrating, migrations: readonly Migration[]): Promise<string[]> {
  const { client } = migrating;
  await client.query(quick(createMigrationTable));
  const { rows } = await client.query<{ name: string; checksum: string }>(
    quick('select name, checksum from schema_migration'),
  );
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const known = new Set(migrations.map(({ name }) => name));
  const [first] = migrations;
  if (first !== undefined && (applied.get(first.name) ?? first.checksum) !== first.checksum)
    throw new MigrationError(OLD_NUMBERS);
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new MigrationError(
        `The database holds migration ${name}, which this version does not know: it is newer than this program.`,
      );
    }
  }
  const done: string[] = [];
  for (const migration of migrations) {
    const { name, checksum, earlierChecksum } = migration;
    const before = applied.get(name);
    if (before !== undefined && (before === checksum || before === earlierChecksum)) continue;
    if (before !== undefined) {
      throw new MigrationError(
        `Migration ${name} was applied with another content; migrations are never edited, add a new one.`,
      );
    }
    await apply(migrating, migration);
    done.push(name);
  }
  return done;
}

interface MigrateOptions {
  readonly log?: Waiting['log'];
  readonly limits?: Partial<MigrationLimits>;
  readonly findDistributing?: (client: pg.Client) => Promise<Distributing | undefined>;
}

/** Brings the database to the newest schema; returns the names of the migrations that it applied. */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  { log, limits, findDistributing }: MigrateOptions = {},
): Promise<string[]> {
  const unreachable = (reason: string, cause: Error) => new MigrationError(reason, { cause });
  return withConnection(url, 'linekeeper-migrate', unreachable, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      quick("select current_setting('server_version_num') as version"),
    );
    if (Number(rows[0]?.version) < SERVER_VERSION_MIN) {
      throw new MigrationError(`PostgreSQL 15 or newer is needed; this server is ${rows[0]?.version}.`);
    }
    const migrating = { client, log, limits: { ...LIMITS, ...limits } };
    await waitForLock(migrating);
    const distributing = await findDistributing?.(client);
    return applyMissing({ ...migrating, distributing }, migrations);
  });
}
