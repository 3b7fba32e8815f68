import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type EmbeddedPostgres, lockDataDir, startEmbeddedPostgres } from '../../embedded-postgres/index.ts';
import type { EmbeddedPostgresOptions } from '../../embedded-postgres/start.ts';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import { makeDataDir, removeDataDir } from './service-process.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const PATIENCE_MS = 30_000;

export interface KillableServer {
  readonly url: string;
  /** SIGKILL for the server and all its processes, like a power failure. */
  kill(): Promise<void>;
  /** SIGKILL for one backend process; the server then ends all others and recovers on its own. */
  killBackend(pick: (pids: readonly number[]) => number): Promise<void>;
  /** Starts it on the same port with the committed data, also if it still runs. Returns when it started accepting connections. */
  restart(): Promise<number>;
  stop(): Promise<void>;
}

/** Without the backend of this query. */
async function listProcesses(url: string, which = 'true'): Promise<number[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid <> pg_backend_pid() and ${which}`,
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end().catch(() => {});
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A migrated PostgreSQL server for the test that loses no committed data. */
export async function startKillableServer({
  dataDir: givenDir,
  settings = {},
  log: onLine = () => {},
}: Partial<Pick<EmbeddedPostgresOptions, 'dataDir' | 'settings' | 'log'>> = {}): Promise<KillableServer> {
  const dataDir = givenDir ?? makeDataDir();
  // The server's user needs access to the folder when this runs as root.
  chmodSync(dataDir, 0o755);
  const lock = await lockDataDir(dataDir);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, settings, log: onLine });
  const { url } = server;
  // An aborted test must leave no server behind.
  const killNow = () => killIfThere(server.pid);
  const exitNow = () => process.exit(1);
  process.on('exit', killNow);
  process.once('SIGTERM', exitNow);
  const port = Number(new URL(url).port);
  await migrate(url, await readMigrations(MIGRATIONS));
  return {
    url,
    async kill() {
      // A server that is down or full cannot be queried. Its processes end on their own when the server is gone.
      const workers = await listProcesses(url).catch(() => []);
      killIfThere(server.pid);
      await server.exited;
      workers.forEach(killIfThere);
    },
    async killBackend(pick) {
      const pids = await listProcesses(url, "backend_type = 'client backend'").catch(() => []);
      if (pids.length > 0) killIfThere(pick(pids));
    },
    async restart() {
      const until = Date.now() + PATIENCE_MS;
      let readyAt = 0;
      const log = (line: string) => {
        onLine(line);
        if (line.includes('ready to accept connections')) readyAt = Date.now();
      };
      for (;;) {
        try {
          server = await startEmbeddedPostgres({ dataDir, settings, port, log });
          return readyAt;
        } catch (error) {
          // The last process of the killed server may hold its memory for a moment.
          if (Date.now() > until) throw error;
        }
      }
    },
    async stop() {
      await server.stop();
      process.off('exit', killNow);
      process.off('SIGTERM', exitNow);
      await lock.release();
      if (givenDir === undefined) removeDataDir(dataDir);
    },
  };
}
