import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DataFolderError,
  type EmbeddedPostgres,
  lockDataDir,
  type Preparation,
  startEmbeddedPostgres,
  type Waiting,
} from '../../embedded-postgres/index.ts';
import { ConfigError } from '../platform/config/settings.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { fillNew } from './empty-database.ts';
import { schemaName } from './own-migrations.ts';

export interface PreparedFleet {
  readonly name: string;
  readonly fill: Preparation['fill'];
}

const RESTART_MS = 250;
const RESTART_MAX_MS = 10_000;
const SCHEMA_NAME_LENGTH = 16;

interface Embedding {
  readonly dataDir: string;
  readonly temporary: boolean;
  readonly cacheDir: string | undefined;
  /** Leaves a new data folder without tables, which the caller brings. */
  readonly beginsEmpty?: boolean;
  /** The fleet that a new data folder starts with. */
  readonly preparedFleet?: PreparedFleet | undefined;
  readonly waiting?: Waiting;
}

/**
 * Settings for a temporary folder: no protection against power loss, a small log because the folder may be in
 * memory, and no read-ahead processes because it has no large files.
 */
const NOT_FOR_EVER = {
  ...{ fsync: 'off', full_page_writes: 'off' },
  ...{ min_wal_size: '32MB', max_wal_size: '128MB' },
  io_method: 'sync',
};

/** The server's user cannot reach a folder below one of root. */
const cacheFolder = ({ cacheDir }: Embedding): string => {
  if (cacheDir !== undefined) return cacheDir;
  if (process.geteuid?.() === 0) return '/var/lib/linekeeper-postgres/prepared';
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'linekeeper');
};

async function fillWithTables(databaseUrl: string) {
  await fillNew(databaseUrl);
  return {};
}

/** The prepared cluster for new data folders: the tables of this version, and the fleet if there is one. */
async function preparationFor(embedding: Embedding): Promise<Preparation> {
  const { preparedFleet } = embedding;
  const schema = (await schemaName()).slice(0, SCHEMA_NAME_LENGTH);
  return {
    folder: cacheFolder(embedding),
    key: preparedFleet === undefined ? schema : `${schema}-${preparedFleet.name}`,
    fill: preparedFleet?.fill ?? fillWithTables,
  };
}

/** Runs the embedded server while the service runs; after a crash it restarts on the same port. */
export async function openEmbeddedDatabase(embedding: Embedding, log: Log, signal?: AbortSignal) {
  const { dataDir, temporary, waiting } = embedding;
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    throw error instanceof DataFolderError ? new ConfigError(error.message, { cause: error }) : error;
  });
  const options = {
    dataDir,
    log: (line: string) => log.debug({ postgres: line }, 'postgres'),
    ...(temporary && { settings: NOT_FOR_EVER, keepsData: false }),
    ...(!embedding.beginsEmpty && { preparation: await preparationFor(embedding) }),
  };
  let server: EmbeddedPostgres;
  try {
    server = await startEmbeddedPostgres({
      ...options,
      ...(signal && { signal }),
      ...(waiting && { waiting }),
    });
  } catch (error) {
    await lock.release();
    throw error;
  }
  const { url, isPrepared, note } = server;
  const port = Number(new URL(url).port);
  const stopping = new AbortController();
  let restarting: Promise<void> = Promise.resolve();

  const keepUp = () => {
    server.exited.then(() => {
      if (!stopping.signal.aborted) restarting = restart();
    });
  };
  const restart = async () => {
    for (
      let delayMs = RESTART_MS;
      !stopping.signal.aborted;
      delayMs = Math.min(RESTART_MAX_MS, delayMs * 2)
    ) {
      log.error('the embedded PostgreSQL server ended; starting it again');
      try {
        server = await startEmbeddedPostgres({ ...options, port, signal: stopping.signal });
        return keepUp();
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL server did not start');
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  keepUp();

  return {
    url,
    /** The database is new, and has the tables of this version. */
    isPrepared,
    /** The note of `preparedFleet.fill`, if the cluster is a copy of what it filled. */
    note,
    async stop() {
      stopping.abort();
      await restarting;
      await server.stop();
      await lock.release();
    },
  };
}
