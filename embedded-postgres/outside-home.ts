import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { canEnter } from './run-program.ts';
import { giveToServer, type ServerUser } from './server-user.ts';

/** Not below a folder that is likely a data folder itself, and so likely the closed one. */
const ownRoot = '/var/lib/linekeeper-postgres';

/** Marks what an interrupted start may leave behind, and the next one removes. */
export const draftPrefix = 'pgdata.init-';

/** Whether the server's user can own a folder here and enter it, found out by trying. */
export async function canHostCluster(folder: string, user: ServerUser): Promise<boolean> {
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
export async function createOutsideHome(
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

/** A random name, because a temporary folder lets anybody create a foreseeable one beforehand. */
async function tryRoot(root: string, name: string, user: ServerUser): Promise<string | null> {
  const home = await mkdtemp(join(root, `${name}-`)).catch(() => null);
  if (home === null) return null;
  await chmod(home, 0o711);
  if (await canHostCluster(home, user)) return home;
  await rmdir(home);
  return null;
}
