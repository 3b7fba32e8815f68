import { join, resolve } from 'node:path';
import pg from 'pg';
import { maintenance, passwordFile, pristine, superuser } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { readIfThere } from './files.ts';
import { isServerOf } from './stop-server.ts';

/** A template in every new cluster, meant for databases created by hand. */
const UNUSED = 'template1';

export function databaseUrl(port: number, password: string, database: string): string {
  const name = encodeURIComponent(database);
  return `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
}

/**
 * Connects once, which verifies port and password, and creates the database if it does not exist. Then
 * changes the password to `next`.
 */
export async function ensureDatabase(
  port: number,
  password: string,
  database: string,
  next = password,
): Promise<void> {
  await onServer(port, password, async (client) => {
    await createIfMissing(client, database);
    if (next !== password) await client.query(`ALTER ROLE ${superuser} PASSWORD ${pg.escapeLiteral(next)}`);
  });
}

/** Shrinks a cluster before it is copied: removes an unused database and most of the log. */
export async function slimDown(port: number, password: string): Promise<void> {
  await onServer(port, password, async (client) => {
    await client.query(`ALTER DATABASE ${UNUSED} IS_TEMPLATE false`);
    await client.query(`DROP DATABASE ${UNUSED}`);
    // Later writes, including the last checkpoint, start a new file; the stop removes the earlier ones.
    await client.query('SELECT pg_switch_wal()');
  });
}

async function onServer(
  port: number,
  password: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl(port, password, maintenance),
    connectionTimeoutMillis: 20_000,
    query_timeout: 60_000,
  });
  // A connection lost between two queries shows in the next one; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    throw connectionError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function createIfMissing(client: pg.Client, database: string): Promise<void> {
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (found.rowCount !== 0) return;
  const statement = `CREATE DATABASE ${pg.escapeIdentifier(database)} TEMPLATE ${pristine}`;
  await client.query(statement).catch((error: Error) => {
    throw new EmbeddedPostgresError(
      `PostgreSQL could not create the database "${database}": ${error.message}.`,
      { cause: error },
    );
  });
}

function connectionError(error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  if (error instanceof pg.DatabaseError && error.code === '28P01') {
    return new EmbeddedPostgresError(
      'PostgreSQL refuses the password in the file "postgres-password" of the data folder: ' +
        'remove that file to have a new password set.',
      { cause: error },
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedPostgresError(`Linekeeper cannot connect to its own PostgreSQL server: ${reason}.`, {
    cause: error,
  });
}

/** The line of postmaster.pid that holds the port. */
const PORT_LINE = 3;

/** The address of a data folder's server, if it runs, for readers besides the service. */
export async function findRunningServer(
  folder: string,
  database = 'linekeeper',
): Promise<string | undefined> {
  const dataDir = resolve(folder);
  const home = (await readIfThere(join(dataDir, 'cluster-location')))?.trim() ?? dataDir;
  const clusterDir = join(home, 'pgdata');
  const lines = (await readIfThere(join(clusterDir, 'postmaster.pid')))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[PORT_LINE])];
  const password = (await readIfThere(passwordFile(dataDir)))?.trim();
  if (!(pid > 0) || !(port > 0) || password === undefined || !(await isServerOf(pid, clusterDir)))
    return undefined;
  return databaseUrl(port, password, database);
}
