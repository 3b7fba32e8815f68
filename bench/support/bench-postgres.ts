import pg from 'pg';
import { lockDataDir, startEmbeddedPostgres } from '../../embedded-postgres/index.ts';
import { makeDataDir, removeDataDir } from '../../test/support/service-process.ts';

/** The server's totals: commits and statements of one database, and the whole write-ahead log. */
export interface ServerCounts {
  readonly commits: number;
  readonly statements: number;
  readonly walBytes: number;
}

export interface BenchPostgres {
  readonly pid: number;
  /** Creates a new, empty database. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** The embedded server with its own settings, including fsync and synchronous_commit, and a count of statements. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const dataDir = makeDataDir();
  const lock = await lockDataDir(dataDir);
  const settings = {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track': 'top',
  };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  return {
    pid: postgres.pid,
    async createDatabase(name) {
      await run(postgres.url, `create database ${name}`);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      await run(url.href, 'create extension pg_stat_statements');
      return url.href;
    },
    async stop() {
      await postgres.stop();
      await lock.release();
      removeDataDir(dataDir);
    },
  };
}

/** Runs one statement on a separate connection. */
export async function run<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

export async function readCounts(url: string): Promise<ServerCounts> {
  await run(url, 'select pg_stat_force_next_flush()');
  const [counts] = await run<ServerCounts & pg.QueryResultRow>(
    url,
    `select d.xact_commit::float8 as commits, s.calls::float8 as statements,
       (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as "walBytes"
     from pg_stat_database d,
       (select coalesce(sum(calls), 0) as calls from pg_stat_statements s join pg_database b on b.oid = s.dbid
        where b.datname = current_database()) s
     where d.datname = current_database()`,
  );
  return counts!;
}

export const minus = (after: ServerCounts, before: ServerCounts): ServerCounts => ({
  commits: after.commits - before.commits,
  statements: after.statements - before.statements,
  walBytes: after.walBytes - before.walBytes,
});
