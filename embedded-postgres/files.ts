import { randomBytes } from 'node:crypto';
import { chown, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, fileError } from './errors.ts';
import { isRoot } from './server-user.ts';

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw fileError(error, `read the file ${path}`);
  }
}

/** Replaces the file in one step, so that a crash leaves either the old or the new content. */
export async function writeFileInOneStep(path: string, content: string, mode: number): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await giveToOwnerOfFolder(draft);
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw fileError(error, `write the file ${path}`);
  }
}

/** A file that root leaves in another user's folder would block that user's later starts. */
export async function giveToOwnerOfFolder(path: string): Promise<void> {
  if (!isRoot()) return;
  const folder = await stat(dirname(path));
  if (folder.uid !== 0) await chown(path, folder.uid, folder.gid);
}

/** Makes a rename inside the folder survive a power cut; Windows cannot open folders and needs no such step. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Removes half-made folders of an interrupted earlier start, which carry a name that only mkdtemp with this
 * prefix gives. One that cannot be removed stays, because it does no harm.
 */
export async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name.length !== prefix.length + 6) continue;
    await rm(join(folder, name), { recursive: true, maxRetries: 3, retryDelay: 50 }).catch(() => {});
  }
}
