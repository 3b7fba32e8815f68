import { type Binaries, usableBinaries } from './binaries.ts';
import { changePassword, checkVersion, choosePassword, initCluster, storePassword } from './cluster.ts';
import { type ClusterPlace, draftPrefix, locateCluster } from './cluster-location.ts';
import { prepareDataDir } from './data-folder.ts';
import { databaseUrl, ensureDatabase } from './database.ts';
import { fileError } from './errors.ts';
import { removeLeftovers } from './files.ts';
import { copyPrepared, type Preparation, type PreparedCluster } from './prepared.ts';
import { launchReady, type Waiting } from './server-process.ts';
import { stopOrphan } from './stop-server.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** Where the cluster really lives: outside the data folder where the server's user cannot reach that. */
  readonly clusterDir: string;
  readonly pid: number;
  /** Its cluster is new, and has what the preparation fills a database with. */
  readonly isPrepared: boolean;
  /** What the preparation noted about its cluster, where this one is a copy of it. */
  readonly note: string | undefined;
  /** Ends all sessions, writes everything to disk unless it is not to be kept, and waits for the end of the server. */
  stop(): Promise<void>;
  /** Resolves with the exit code when the server process ends, whether it was asked to or not. */
  readonly exited: Promise<number | null>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Gets every line that the server logs, and what this module does out of the ordinary. */
  readonly log?: (line: string) => void;
  /** Further settings of the server, which win over the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly database?: string;
  /** Kept in the data folder; a generated one where it is left out. */
  readonly password?: string;
  /** Only where clients already know a port, as after a restart; a free one where it is left out. */
  readonly port?: number;
  /** False where the folder is deleted as soon as the server has stopped: nothing is written for that. */
  readonly keepsData?: boolean;
  /** What a new cluster begins with; an empty database where it is left out. */
  readonly preparation?: Preparation;
  readonly waiting?: Waiting;
  /** Ends the start: what it began is undone, and nothing is left running. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the PostgreSQL server of a data folder. The caller holds the lock of that folder (lockDataDir): a
 * server that already runs on it is taken for the left-over of a killed service, and stopped.
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

  const { server, port } = await launchReady(binaries, place, { ...options, log });
  try {
    await ensureDatabase(port, prepared?.password ?? password.value, database, password.value);
    await storePassword(dataDir, password);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: databaseUrl(port, password.value, database),
    clusterDir: place.clusterDir,
    pid: server.pid,
    isPrepared: prepared !== undefined,
    note: prepared?.note,
    stop: server.stop,
    exited: server.exited,
  };
}

/** Undefined where the cluster is no copy, and has the given password already. */
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
      return await copyPrepared(place, {
        ...{ preparation, binaries, user, database, log, signal, waiting, keepsData },
      });
    } catch (error) {
      signal?.throwIfAborted();
      log(
        `the cluster cannot be copied from ${preparation.folder}, and is made anew: ${(error as Error).message}`,
      );
    }
  }
  await initCluster(place, binaries, password, { signal });
  return undefined;
}
