import type { Socket } from 'node:net';
import pg from 'pg';
import { within } from '../flow-control/limits.ts';

/** Whoever is gone does not answer, and a start or a stop must come to its end: for so long it is waited for. */
export const END_MS = 3_000;

/** The driver tells nobody of its socket, which would keep a process that has nothing else to do. */
export const socketOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Ends a connection, also one whose other end has vanished. */
export async function endConnection(client: pg.Client): Promise<void> {
  await within(END_MS, client.end()).catch(() => socketOf(client).destroy());
}

/**
 * A statement that may take long waits in silence. The system asks a silent connection whether the other side is still
 * there, by itself only after two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Every process that runs has one, and it never goes through a pooler. */
const OF_A_RUNNING_PROCESS = 'linekeeper-listen';

/** A sentence for whoever needs the database for themselves; undefined where nothing of the service is connected to it. */
export async function whyInUse(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'linekeeper%'
    order by 1`);
  if (rows.length === 0) return undefined;
  const names = rows.map(({ name }) => name);
  const reason = `Linekeeper still uses this database (${names.join(', ')}); stop all its processes first.`;
  return names.includes(OF_A_RUNNING_PROCESS)
    ? reason
    : `${reason} If all are stopped, a pooler keeps connections open that still bear their names: let it close them (PgBouncer: RECONNECT in its console), or wait until it does (server_idle_timeout).`;
}

/** A connection of its own, for work that is one long session; `unreachable` makes the error where there is none. */
export async function withConnection<T>(
  url: string,
  applicationName: string,
  unreachable: (reason: string, cause: Error) => Error,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    ...KEEP_ALIVE,
    application_name: applicationName,
  });
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw unreachable(`The database cannot be reached: ${error.message}.`, error);
  });
  try {
    return await work(client);
  } finally {
    await endConnection(client);
  }
}
