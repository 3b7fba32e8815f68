import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts';
import {
  type EmbeddedPostgres,
  lockDataDir,
  startEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/index.ts';
import { makeDataDir, removeDataDir } from './service-process.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const PATIENCE_MS = 30_000;

export interface KillableServer {
  readonly url: string;
  /** SIGKILL for the server and all that works for it, as a machine that lost its power would do it. */
  kill(): Promise<void>;
  /** On the same port, with what had been committed. Answers when it began to take connections. */
  restart(): Promise<number>;
  stop(): Promise<void>;
}

async function listProcesses(url: string): Promise<number[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid is not null',
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A PostgreSQL server of the test's own, migrated, that loses nothing it has answered for. */
export async function startKillableServer(): Promise<KillableServer> {
  const dataDir = makeDataDir();
  // The server's user must be able to enter it when this runs as root.
  chmodSync(dataDir, 0o755);
  const lock = await lockDataDir(dataDir);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  const { url } = server;
  const port = Number(new URL(url).port);
  await migrate(url, await readMigrations(MIGRATIONS));
  return {
    url,
    async kill() {
      const workers = await listProcesses(url);
      killIfThere(server.pid);
      await server.exited;
      workers.forEach(killIfThere);
    },
    async restart() {
      const until = Date.now() + PATIENCE_MS;
      let readyAt = 0;
      const log = (line: string) => {
        if (line.includes('ready to accept connections')) readyAt = Date.now();
      };
      for (;;) {
        try {
          server = await startEmbeddedPostgres({ dataDir, port, log });
          return readyAt;
        } catch (error) {
          // A last process of the killed server may still hold its memory for a moment.
          if (Date.now() > until) throw error;
        }
      }
    },
    async stop() {
      await server.stop();
      await lock.release();
      removeDataDir(dataDir);
    },
  };
}
