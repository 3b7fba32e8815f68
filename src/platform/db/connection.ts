import type { Socket } from 'node:net';
import pg from 'pg';
import { within } from '../flow-control/limits.ts';

/** How long to wait for a server that may be gone, so that a start or a stop always ends. */
export const END_MS = 3_000;

/** The driver does not expose its socket, which would keep an otherwise idle process alive. */
export const socketOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Ends a connection, even if its other end has vanished. */
export async function endConnection(client: pg.Client): Promise<void> {
  await within(END_MS, client.end()).catch(() => socketOf(client).destroy());
}

/**
 * A statement that takes long sends nothing while it runs. By default the system checks a silent connection only after two
 * hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Every running process has this connection, and it never goes through a pooler. */
const OF_A_RUNNING_PROCESS = 'linekeeper-listen';

/** A message for a caller that needs the database to itself; undefined if no process of the service is connected. */
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
    : `${reason} If all are stopped, a pooler still keeps connections open under their names: let it close them (PgBouncer: RECONNECT in its console), or wait until it does (server_idle_timeout).`;
}

/** Opens a dedicated connection for one long session; `unreachable` makes the error if that fails. */
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
