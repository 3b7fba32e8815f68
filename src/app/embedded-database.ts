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
  /** A new data folder gets no tables: somebody else brings them. */
  readonly beginsEmpty?: boolean;
  /** A new data folder has this fleet from the beginning. */
  readonly preparedFleet?: PreparedFleet | undefined;
  readonly waiting?: Waiting;
}

/**
 * Without what only a machine that loses its power would miss, with a log that grows little, because the folder may be in memory, and
 * without processes that read files ahead, of which it has no large ones.
 */
const NOT_FOR_EVER = {
  ...{ fsync: 'off', full_page_writes: 'off' },
  ...{ min_wal_size: '32MB', max_wal_size: '128MB' },
  io_method: 'sync',
};

/** Below a folder of root's the server's user would not reach it. */
const cacheFolder = ({ cacheDir }: Embedding): string => {
  if (cacheDir !== undefined) return cacheDir;
  if (process.geteuid?.() === 0) return '/var/lib/linekeeper-postgres/prepared';
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'linekeeper');
};

async function fillWithTables(databaseUrl: string) {
  await fillNew(databaseUrl);
  return {};
}

/** New data folders begin with the tables of this version, and with the fleet if there is one. */
async function preparationFor(embedding: Embedding): Promise<Preparation> {
  const { preparedFleet } = embedding;
  const schema = (await schemaName()).slice(0, SCHEMA_NAME_LENGTH);
  return {
    folder: cacheFolder(embedding),
    key: preparedFleet === undefined ? schema : `${schema}-${preparedFleet.name}`,
    fill: preparedFleet?.fill ?? fillWithTables,
  };
}

/** The embedded server for as long as the service lives: one that dies is started again where clients know it. */
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
    /** It is new, and has the tables of this version. */
    isPrepared,
    /** What `preparedFleet.fill` noted, where the cluster is a copy of what it filled. */
    note,
    async stop() {
      stopping.abort();
      await restarting;
      await server.stop();
      await lock.release();
    },
  };
}
