import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, errorCode, fileError } from './errors.ts';
import { readIfThere, writeFileInOneStep } from './files.ts';
import { canHostCluster, createOutsideHome } from './outside-home.ts';
import { canEnter } from './run-program.ts';
import { chooseServerUser, ownerOfCluster, type ServerUser } from './server-user.ts';

export interface ClusterPlace {
  /** The folder around the cluster: the data folder, or a folder elsewhere that the data folder names. */
  readonly home: string;
  readonly clusterDir: string;
  readonly initialised: boolean;
  readonly user: ServerUser;
}

const locationFile = 'cluster-location';
const backReferenceFile = 'data-folder';
/**
 * Lies in a home outside from its creation until its cluster is complete, and tells a new home from an
 * emptied one.
 */
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

/** Two data folders on one cluster, as after a copy, would stop each other's server and share its data. */
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
    // Says more than the mere lack of a right, where the cluster belongs to somebody else.
    if (errorCode(error) === 'EACCES') await ownerOfCluster(clusterDir);
    throw fileError(error, `read the database cluster ${clusterDir}`);
  }
  throw new EmbeddedPostgresError(`The folder ${clusterDir} is not empty but holds no database cluster.`);
}
