import { lstat, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearAbandoned, deleteDataDir } from '../../embedded-postgres/index.ts';
import { ConfigError } from '../platform/config/settings.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Shutdown } from './shutdown.ts';

/** The names, places, marks and other contents of the folders of clients/testing. */
const roots = () => [tmpdir(), '/dev/shm'];
const PREFIX = 'linekeeper-sandbox-';
const MARK = 'temporary';
const OF_MAKER = [MARK, 'fleet.json'];
const DELETE_MAX_MS = 30_000;
/** A new folder may not have a service yet, so young ones are skipped. */
const YOUNG_MS = 5 * 60_000;
/** The next start deletes the others. */
const CLEARED_MAX = 20;

/** Call it before anything else is added, so that the deletion runs after everything that uses the folder. */
export async function deleteAtTheEnd(dataDir: string, shutdown: Shutdown): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.some((name) => !OF_MAKER.includes(name)))
    throw new ConfigError(
      `LINEKEEPER_TEMPORARY deletes the data folder at the end, and so needs a new one: ${dataDir} is not empty.`,
    );
  shutdown.add('temporary data folder', () => deleteDataDir(dataDir, { mark: MARK }), DELETE_MAX_MS);
}

/**
 * A killed service cannot delete its folder or stop its database, so the next start does. It touches only
 * folders that this user has marked and no process holds.
 */
export async function clearLeftBehind(ownDataDir: string, log: Log): Promise<void> {
  try {
    const own = await realpath(ownDataDir);
    let cleared = 0;
    for (const folder of (await Promise.all(roots().map(foldersIn))).flat()) {
      // Locking its own folder a second time would drop the lock.
      if (folder === own || !(await isOldAndOurs(folder))) continue;
      if (await clearAbandoned(folder, MARK, (line) => log.info(line))) cleared++;
      if (cleared >= CLEARED_MAX) return;
    }
  } catch (error) {
    log.warn({ err: error }, 'what an earlier sandbox left behind could not be deleted');
  }
}

/** Empty if the root does not exist. */
async function foldersIn(place: string): Promise<string[]> {
  const root = await realpath(place).catch(() => undefined);
  if (root === undefined) return [];
  const names = (await readdir(root)).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => join(root, name));
}

async function isOldAndOurs(folder: string): Promise<boolean> {
  const mark = await lstat(join(folder, MARK)).catch(() => undefined);
  if (mark === undefined) return false;
  return mark.uid === (process.geteuid?.() ?? mark.uid) && Date.now() - mark.mtimeMs > YOUNG_MS;
}
