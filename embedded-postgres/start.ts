import { type Binaries, usableBinaries } from './binaries.ts';
import { changePassword, checkVersion, choosePassword, initCluster, storePassword } from './cluster.ts';
import { type ClusterPlace, draftPrefix, locateCluster } from './cluster-location.ts';
import { prepareDataDir } from './data-folder.ts';
import { databaseUrl, ensureDatabase } from './database.ts';
import { fileError } from './errors.ts';
import { removeLeftovers } from './files.ts';
import {
  type ComingServer,
  createPrepared,
  type Preparation,
  type PreparedCluster,
  type Waiting,
} from './prepared.ts';
import { launchReady } from './server-process.ts';
import { stopOrphan, stopOrphansOfDrafts } from './stop-server.ts';

export interface EmbeddedPostgres extends ComingServer {
  /** The actual place of the cluster, outside the data folder if the server's user cannot reach that. */
  readonly clusterDir: string;
  readonly pid: number;
  /** Ends all sessions, writes everything to disk if the folder is kept, and waits for the end of the server. */
  stop(): Promise<void>;
  /** Resolves with the exit code when the server process ends, for any reason. */
  readonly exited: Promise<number | null>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Gets every log line of the server, and unusual events of this module. */
  readonly log?: (line: string) => void;
  /** Server settings that override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly database?: string;
  /** The password, kept in the data folder; default: a generated one. */
  readonly password?: string;
  /** For clients that already know a port, as after a restart; default: a free port. */
  readonly port?: number;
  /** False if the folder is deleted after the stop, so that nothing needs to be written. */
  readonly keepsData?: boolean;
  /** The initial content of a new cluster; default: an empty database. */
  readonly preparation?: Preparation;
  readonly waiting?: Waiting;
  /** Aborts the start, undoes its work and leaves nothing running. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the PostgreSQL server of a data folder. The caller holds the lock of that folder (lockDataDir), so a
 * server that already runs on it was left by a killed service, and is stopped.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw fileError(error, `start PostgreSQL on the data folder ${options.dataDir}`);
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database = 'linekeeper', log = () => {} } = options;
  const dataDir = await prepareDataDir(options.dataDir);
  const place = await locateCluster(dataDir, log);
  const binaries = await usableBinaries(place.user, place.home, log);
  const password = await choosePassword(dataDir, options.password);

  await stopOrphansOfDrafts(place.home, binaries, log);
  await removeLeftovers(place.home, draftPrefix);
  if (place.initialised) {
    await checkVersion(place, binaries);
    await stopOrphan(place.clusterDir, binaries, log);
    if (!password.isStored) await changePassword(place, binaries, password);
    await storePassword(dataDir, password);
  }
  const prepared = place.initialised
    ? undefined
    : await createCluster(options, place, binaries, password.value);

  const comingAt = (port: number): ComingServer => ({
    url: databaseUrl(port, password.value, database),
    isPrepared: prepared !== undefined,
    note: prepared?.note,
  });
  const launched = (port: number) => options.waiting?.forServer(comingAt(port));
  const { server, port } = await launchReady(binaries, place, { ...options, log, launched });
  try {
    await ensureDatabase(port, prepared?.password ?? password.value, database, password.value);
    await storePassword(dataDir, password);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ...comingAt(port),
    clusterDir: place.clusterDir,
    pid: server.pid,
    stop: server.stop,
    exited: server.exited,
  };
}

/** Returns undefined if the cluster is not a copy; then it has the given password. */
async function createCluster(
  options: EmbeddedPostgresOptions,
  place: ClusterPlace,
  binaries: Binaries,
  password: string,
): Promise<PreparedCluster | undefined> {
  const { database = 'linekeeper', log = () => {}, preparation, signal, waiting, keepsData = true } = options;
  log(`creating a new database cluster in ${place.clusterDir}`);
  if (preparation !== undefined) {
    const { user } = place;
    try {
      return await createPrepared(place, {
        ...{ preparation, binaries, user, database, log, signal, waiting, keepsData },
      });
    } catch (error) {
      signal?.throwIfAborted();
      log(`the cluster cannot be prepared or copied, and begins empty: ${(error as Error).message}`);
    }
  }
  await initCluster(place, binaries, password, { signal });
  return undefined;
}
