import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { maintenance, pristine } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';

interface DatabaseEntry {
  readonly name: string;
  readonly bytes: number;
  readonly comment: string | undefined;
}

/** The databases of a server. Copying, renaming and dropping require that a database has no connections. */
export interface Databases {
  /** Lists databases with this prefix. */
  names(prefix: string): Promise<string[]>;
  /** The same, with details. */
  list(prefix: string): Promise<DatabaseEntry[]>;
  /** The comment of a database; undefined if either is missing. */
  commentOf(name: string): Promise<string | undefined>;
  /** Copies a database. Rejects with PostgreSQL's code 53100 for a full disk before the disk is full. */
  copy(from: string, to: string, comment: string): Promise<void>;
  create(name: string): Promise<void>;
  comment(name: string, comment: string): Promise<void>;
  /** Renames atomically: each database gets the second name of its pair. */
  rename(names: readonly (readonly [from: string, to: string])[]): Promise<void>;
  dropIfThere(name: string): Promise<void>;
}

const CONNECT_MS = 20_000;
/** Allows for copying a large database, but does not wait for a vanished server. */
const STATEMENT_MS = 10 * 60_000;
/** PostgreSQL itself checks for ending connections ten times a second. */
const [LEFT_POLL_MS, LEFT_MAX_MS] = [5, 5_000];

/** The address of another database of the same server. */
export function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${encodeURIComponent(database)}`;
  return address.href;
}

/** Uses one connection, to a database that is never copied. */
export async function withDatabases<T>(url: string, work: (databases: Databases) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: addressOf(url, maintenance),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    application_name: 'linekeeper-databases',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(open(client));
  } finally {
    // The connection is to a database that is never copied, so no one needs to wait for its end.
    void client.end().catch(() => {});
  }
}

/** The server reads the folder of each database, and fails for all if one has just been dropped. */
const [GONE_MEANWHILE, LIST_TRIES] = ['42704', 5];

async function listSizes(client: pg.Client, prefix: string): Promise<DatabaseEntry[]> {
  const { rows } = await client.query<{ name: string; bytes: string; comment: string | null }>(
    `select datname as name, pg_database_size(oid) as bytes, shobj_description(oid, 'pg_database') as comment
     from pg_database where starts_with(datname, $1) order by datname`,
    [prefix],
  );
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes), comment: row.comment ?? undefined }));
}

const [DISK_FULL, MB] = ['53100', 1024 * 1024];

/**
 * A copy is written twice, as files and to the log. A server that cannot write its log ends all sessions, so
 * the disk must keep free space.
 */
async function requireRoom(client: pg.Client, database: string): Promise<void> {
  const { rows } = await client.query<{ bytes: string; folder: string }>(
    "select pg_database_size($1::name) as bytes, current_setting('data_directory') as folder",
    [database],
  );
  const { bytes, folder } = rows[0]!;
  const disk = await statfs(folder).catch(() => undefined);
  const [needed, free] = [2 * Number(bytes), disk === undefined ? Infinity : disk.bavail * disk.bsize];
  if (free >= needed) return;
  const inMb = (size: number) => `${Math.ceil(size / MB)} MB`;
  throw Object.assign(
    new EmbeddedPostgresError(
      `a copy of the database needs ${inMb(needed)}, and the disk of ${folder} has ${inMb(free)} left`,
    ),
    { code: DISK_FULL },
  );
}

function open(client: pg.Client): Databases {
  const name = pg.escapeIdentifier;
  const comment = (database: string, text: string) =>
    client.query(`comment on database ${name(database)} is ${pg.escapeLiteral(text)}`);
  const untilLeft = async (database: string) => {
    const untilMs = performance.now() + LEFT_MAX_MS;
    const query = 'select from pg_stat_activity where datname = $1 limit 1';
    while ((await client.query(query, [database])).rowCount !== 0 && performance.now() < untilMs)
      await sleep(LEFT_POLL_MS);
  };
  return {
    async names(prefix) {
      const { rows } = await client.query<{ name: string }>(
        'select datname as name from pg_database where starts_with(datname, $1) order by datname',
        [prefix],
      );
      return rows.map((row) => row.name);
    },
    async list(prefix) {
      for (let tries = 1; ; tries++) {
        try {
          return await listSizes(client, prefix);
        } catch (error) {
          if ((error as { code?: string }).code !== GONE_MEANWHILE || tries === LIST_TRIES) throw error;
        }
      }
    },
    async commentOf(database) {
      const { rows } = await client.query<{ comment: string | null }>(
        "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
        [database],
      );
      return rows[0]?.comment ?? undefined;
    },
    async copy(from, to, text) {
      await untilLeft(from);
      await requireRoom(client, from);
      await client.query(`create database ${name(to)} template ${name(from)}`);
      await comment(to, text);
    },
    async create(database) {
      await client.query(`create database ${name(database)} template ${pristine}`);
    },
    async comment(database, text) {
      await comment(database, text);
    },
    async rename(names) {
      for (const [from] of names) await untilLeft(from);
      const steps = names.map(([from, to]) => `alter database ${name(from)} rename to ${name(to)}`);
      await client.query(['begin', ...steps, 'commit'].join('; '));
    },
    async dropIfThere(database) {
      await client.query(`drop database if exists ${name(database)} with (force)`);
    },
  };
}
