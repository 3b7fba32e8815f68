import { lstat, readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearAbandoned, deleteDataDir } from '../../embedded-postgres/index.ts';
import { ConfigError } from '../platform/config/settings.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Shutdown } from './shutdown.ts';

/** How clients/testing names its folders, where it puts them, the mark it leaves in them, and all else that it puts there. */
const roots = () => [tmpdir(), '/dev/shm'];
const PREFIX = 'linekeeper-sandbox-';
const MARK = 'temporary';
const OF_MAKER = [MARK, 'fleet.json'];
const DELETE_MAX_MS = 30_000;
/** Whoever made a folder may not have come to starting a service on it. */
const YOUNG_MS = 5 * 60_000;
/** Others are left to the next start. */
const CLEARED_MAX = 20;

/** To be called before anything else is added: it comes after all that uses the folder. */
export async function deleteAtTheEnd(dataDir: string, shutdown: Shutdown): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.some((name) => !OF_MAKER.includes(name)))
    throw new ConfigError(
      `LINEKEEPER_TEMPORARY deletes the data folder at the end, and so needs a new one: ${dataDir} is not empty.`,
    );
  shutdown.add('temporary data folder', () => deleteDataDir(dataDir), DELETE_MAX_MS);
}

/**
 * A service that is killed cannot delete its folder, nor stop its database: the next one that starts does. Only what this
 * user has marked, and nobody holds.
 */
export async function clearLeftBehind(ownDataDir: string, log: Log): Promise<void> {
  try {
    const own = await realpath(ownDataDir);
    let cleared = 0;
    for (const folder of (await Promise.all(roots().map(foldersIn))).flat()) {
      // To lock its own folder a second time would drop the lock.
      if (folder === own || !(await isOldAndOurs(folder))) continue;
      if (await clearAbandoned(folder, (line) => log.info(line))) cleared++;
      if (cleared >= CLEARED_MAX) return;
    }
  } catch (error) {
    log.warn({ err: error }, 'what an earlier sandbox left behind could not be deleted');
  }
}

/** None where there is no such root. */
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
