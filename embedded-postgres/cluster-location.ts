import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError, errorCode, fileError } from './errors.ts';
import { readIfThere, writeFileInOneStep } from './files.ts';
import { canEnter } from './run-program.ts';
import { chooseServerUser, giveToServer, ownerOfCluster, type ServerUser } from './server-user.ts';

export interface ClusterPlace {
  /** The folder around the cluster: the data folder, or a folder elsewhere that the data folder names. */
  readonly home: string;
  readonly clusterDir: string;
  readonly initialised: boolean;
  readonly user: ServerUser;
}

export const locationFile = 'cluster-location';
export const backReferenceFile = 'data-folder';
/** Marks a home outside as new until its cluster is complete, to distinguish it from an emptied one. */
const newMarker = 'not-yet-initialised';

export async function locateCluster(dataDir: string, log: (line: string) => void): Promise<ClusterPlace> {
  const named = (await readIfThere(join(dataDir, locationFile)))?.trim();
  if (named !== undefined) return locateOutside(dataDir, named);

  const clusterDir = join(dataDir, 'pgdata');
  if (await holdsCluster(clusterDir)) return existing(dataDir, clusterDir);
  const user = await chooseServerUser(dataDir);
  if (user === null || (await canHostCluster(dataDir, user))) {
    return { home: dataDir, clusterDir, initialised: false, user };
  }
  const home = await createOutsideHome(dataDir, user, log);
  await writeFileInOneStep(join(home, newMarker), '', 0o644);
  await writeFileInOneStep(join(home, backReferenceFile), `${dataDir}\n`, 0o644);
  await writeFileInOneStep(join(dataDir, locationFile), `${home}\n`, 0o644);
  return { home, clusterDir: join(home, 'pgdata'), initialised: false, user };
}

export async function markInitialised(home: string): Promise<void> {
  await rm(join(home, newMarker), { force: true });
}

async function locateOutside(dataDir: string, home: string): Promise<ClusterPlace> {
  const clusterDir = join(home, 'pgdata');
  const initialised = await holdsCluster(clusterDir);
  if (!initialised && (await readIfThere(join(home, newMarker))) === null) {
    throw new EmbeddedPostgresError(
      `The database cluster ${clusterDir}, which ${join(dataDir, locationFile)} names, has vanished: ` +
        'put it back, or remove that file to start with an empty database.',
    );
  }
  await checkBackReference(dataDir, home);
  if (initialised) {
    await markInitialised(home);
    return existing(home, clusterDir);
  }
  return { home, clusterDir, initialised, user: await chooseServerUser(dataDir) };
}

/** Two data folders with one cluster, for example after a copy, would share its data and stop each other's server. */
async function checkBackReference(dataDir: string, home: string): Promise<void> {
  const path = join(home, backReferenceFile);
  const other = (await readIfThere(path))?.trim() ?? dataDir;
  if (other === dataDir) return;
  const otherNames = (await readIfThere(join(other, locationFile)))?.trim();
  if (otherNames === home && (await realpath(other)) !== dataDir) {
    throw new EmbeddedPostgresError(
      `The data folder ${dataDir} names the database cluster of the data folder ${other}: ` +
        `it seems to be a copy, so remove ${join(dataDir, locationFile)} to start it with an empty database.`,
    );
  }
  await writeFileInOneStep(path, `${dataDir}\n`, 0o644);
}

async function existing(home: string, clusterDir: string): Promise<ClusterPlace> {
  const user = await ownerOfCluster(clusterDir);
  if (await canEnter(clusterDir, user)) return { home, clusterDir, initialised: true, user };
  throw new EmbeddedPostgresError(
    `The user "${user?.name}", who owns the database cluster ${clusterDir}, cannot reach it: ` +
      'a folder above it is closed to that user.',
  );
}

async function holdsCluster(clusterDir: string): Promise<boolean> {
  try {
    if (!(await stat(clusterDir)).isDirectory()) {
      throw new EmbeddedPostgresError(`${clusterDir} should be a database cluster but is not a folder.`);
    }
    const names = await readdir(clusterDir);
    if (names.length === 0 || names.includes('PG_VERSION')) return names.length > 0;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    // Gives a clearer error if the cluster belongs to another user.
    if (errorCode(error) === 'EACCES') await ownerOfCluster(clusterDir);
    throw fileError(error, `read the database cluster ${clusterDir}`);
  }
  throw new EmbeddedPostgresError(`The folder ${clusterDir} is not empty but holds no database cluster.`);
}

/** Avoids folders that are likely a data folder, and so likely the closed one. */
const ownRoot = '/var/lib/linekeeper-postgres';

/** Marks what an interrupted start may leave behind, and the next one removes. */
export const draftPrefix = 'pgdata.init-';
export const draftCluster = 'cluster';

/** Tries whether the server's user can own and enter a folder here. */
async function canHostCluster(folder: string, user: ServerUser): Promise<boolean> {
  const trial = await mkdtemp(join(folder, draftPrefix));
  try {
    await giveToServer(trial, user);
    return await canEnter(trial, user);
  } catch {
    return false;
  } finally {
    await rmdir(trial);
  }
}

/** A new folder for the cluster of a data folder that the server's user cannot reach. Only root gets here. */
async function createOutsideHome(
  dataDir: string,
  user: ServerUser,
  log: (line: string) => void,
): Promise<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const reason = `the user "${user?.name}", who runs PostgreSQL, cannot reach ${dataDir}`;
  if (await prepareOwnRoot()) {
    const home = await tryRoot(ownRoot, name, user);
    if (home !== null) {
      log(`the database cluster is kept in ${home}, because ${reason}`);
      return home;
    }
  }
  for (const root of ['/var/tmp', tmpdir(), '/tmp']) {
    const home = await tryRoot(root, `linekeeper-postgres-${name}`, user);
    if (home === null) continue;
    log(`the database cluster is kept in ${home}, which the system may clear, because ${reason}`);
    return home;
  }
  throw new EmbeddedPostgresError(
    `Linekeeper found no place for the database cluster: ${reason}, nor ${ownRoot} or the temporary folders.`,
  );
}

async function prepareOwnRoot(): Promise<boolean> {
  try {
    if ((await mkdir(ownRoot, { recursive: true })) !== undefined) await chmod(ownRoot, 0o755);
    const { uid, mode } = await stat(ownRoot);
    return uid === 0 && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** A random name, because anyone could create a predictable one in a temporary folder first. */
async function tryRoot(root: string, name: string, user: ServerUser): Promise<string | null> {
  const home = await mkdtemp(join(root, `${name}-`)).catch(() => null);
  if (home === null) return null;
  await chmod(home, 0o711);
  if (await canHostCluster(home, user)) return home;
  await rmdir(home);
  return null;
}
