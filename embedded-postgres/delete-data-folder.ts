import { rmSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packagedBinaries } from './binaries.ts';
import { backReferenceFile, locationFile } from './cluster-location.ts';
import { tryLock } from './data-folder.ts';
import { errorCode, fileError } from './errors.ts';
import { readIfThere } from './files.ts';
import { stopOrphan, stopOrphansOfDrafts } from './stop-server.ts';

const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const;

/** A home outside that belongs to this folder, not to the one it was copied from. */
async function outsideHome(folder: string): Promise<string | undefined> {
  const home = (await readIfThere(join(folder, locationFile)))?.trim();
  if (home === undefined) return undefined;
  return (await readIfThere(join(home, backReferenceFile)))?.trim() === folder ? home : undefined;
}

type Remove = (path: string) => Promise<void> | void;
/** Several times as fast as the asynchronous version, but blocks the process. */
const removeAtOnce: Remove = (path) => rmSync(path, removal);
const removeBeside: Remove = (path) => rm(path, removal);

interface Deletion {
  /** The file that marks the folder as one to delete. */
  readonly mark: string;
  /** The default blocks the process. */
  readonly remove?: Remove;
}

/** Deletes an unused data folder, and its cluster if that is elsewhere. */
export async function deleteDataDir(
  dataDir: string,
  { mark, remove = removeAtOnce }: Deletion,
): Promise<void> {
  try {
    const folder = await realpath(dataDir).catch(() => dataDir);
    const home = await outsideHome(folder);
    // Deletes the cluster first, because the folder names it.
    if (home !== undefined) await removeWithLast(backReferenceFile, home, remove);
    await removeWithLast(mark, folder, remove);
  } catch (error) {
    throw fileError(error, `delete the data folder ${dataDir}`);
  }
}

/** The file by which a later start finds the folder goes last, so that it can continue an interrupted deletion. */
async function removeWithLast(file: string, folder: string, remove: Remove): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) if (name !== file) await remove(join(folder, name));
  await remove(folder);
}

/** Stops the server left by a killed service, and deletes its folder. False if a service uses it. */
export async function clearAbandoned(
  dataDir: string,
  mark: string,
  log: (line: string) => void,
): Promise<boolean> {
  const folder = await realpath(dataDir);
  const lock = tryLock(folder);
  if (lock === undefined) return false;
  try {
    const found = await packagedBinaries();
    const home = (await outsideHome(folder)) ?? folder;
    const binaries = { ...found, pgCtl: found.pg_ctl, major: '' };
    await stopOrphan(join(home, 'pgdata'), binaries, log);
    await stopOrphansOfDrafts(home, binaries, log);
  } finally {
    lock.close();
  }
  await deleteDataDir(folder, { mark, remove: removeBeside });
  return true;
}
