import { rmSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packagedBinaries } from './binaries.ts';
import { backReferenceFile, locationFile } from './cluster-location.ts';
import { tryLock } from './data-folder.ts';
import { fileError } from './errors.ts';
import { readIfThere } from './files.ts';
import { stopOrphan } from './stop-server.ts';

const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const;

/** A home outside that belongs to this folder, not to the one it was copied from. */
async function outsideHome(folder: string): Promise<string | undefined> {
  const home = (await readIfThere(join(folder, locationFile)))?.trim();
  if (home === undefined) return undefined;
  return (await readIfThere(join(home, backReferenceFile)))?.trim() === folder ? home : undefined;
}

type Remove = (folder: string) => Promise<void> | void;
/** Several times as fast as the asynchronous version, but blocks the process. */
const removeAtOnce: Remove = (folder) => rmSync(folder, removal);
const removeBeside: Remove = (folder) => rm(folder, removal);

/** Deletes an unused data folder, and its cluster if that is elsewhere. Blocks the process. */
export async function deleteDataDir(dataDir: string, remove = removeAtOnce): Promise<void> {
  try {
    const folder = await realpath(dataDir).catch(() => dataDir);
    const home = await outsideHome(folder);
    // Deletes the cluster first, because the folder names it.
    if (home !== undefined) await remove(home);
    await remove(folder);
  } catch (error) {
    throw fileError(error, `delete the data folder ${dataDir}`);
  }
}

/** Stops the server left by a killed service, and deletes its folder. False if a service uses it. */
export async function clearAbandoned(dataDir: string, log: (line: string) => void): Promise<boolean> {
  const folder = await realpath(dataDir);
  const lock = tryLock(folder);
  if (lock === undefined) return false;
  try {
    const found = await packagedBinaries();
    const clusterDir = join((await outsideHome(folder)) ?? folder, 'pgdata');
    await stopOrphan(clusterDir, { ...found, pgCtl: found.pg_ctl, major: '' }, log);
  } finally {
    lock.close();
  }
  await deleteDataDir(folder, removeBeside);
  return true;
}
