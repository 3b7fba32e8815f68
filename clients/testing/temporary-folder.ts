import { chmod, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** Settings of the folder for the service. */
  readonly env: Readonly<Record<string, string>>;
  /** Deletes the folder of a service that did not start; otherwise the service deletes it. */
  remove(): Promise<void>;
}

/** Linux's folder for files in memory. A temporary folder in the environment takes precedence. */
const IN_MEMORY = '/dev/shm';
const NAMES = ['TMPDIR', 'TMP', 'TEMP'];
/** A sandbox takes some 100 MB, plus the data of the test; other programs need memory too. */
const GB = 1024 ** 3;
const [ROOM_MIN, MEMORY_MIN] = [GB, 2 * GB];
const MOUNTED = new RegExp(`^\\S+ ${IN_MEMORY} tmpfs (\\S+)`, 'm');

/** The database's programs may be copied next to its data, and must be executable there. */
async function runsPrograms(): Promise<boolean> {
  const options = MOUNTED.exec(await readFile('/proc/self/mounts', 'utf8'))?.[1]?.split(',');
  return options?.includes('rw') === true && !options.includes('noexec');
}

async function hasRoom(): Promise<boolean> {
  const { bavail, bsize } = await statfs(IN_MEMORY);
  // Includes a container's limit, if Node knows it.
  const memory = process.availableMemory?.() ?? freemem();
  return bavail * bsize >= ROOM_MIN && memory >= MEMORY_MIN;
}

/** Each sandbox creates and deletes thousands of files, which takes a tenth of the time in memory. */
async function chooseRoot(): Promise<string> {
  if (process.platform !== 'linux' || NAMES.some((name) => process.env[name])) return tmpdir();
  const isUsable = await Promise.all([runsPrograms(), hasRoom()]).catch(() => [false]);
  return isUsable.every(Boolean) ? IN_MEMORY : tmpdir();
}

async function makeFolder(): Promise<string> {
  const name = 'linekeeper-sandbox-';
  return mkdtemp(join(await chooseRoot(), name)).catch(() => mkdtemp(join(tmpdir(), name)));
}

/**
 * A data folder that is deleted with its service. If the service is killed, the next one finds the folder by
 * its name and mark.
 */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await makeFolder();
  // PostgreSQL does not run as root, so its user must be able to enter this folder.
  if (process.geteuid?.() === 0) await chmod(path, 0o711);
  await writeFile(join(path, 'temporary'), '');
  return {
    path,
    env: { LINEKEEPER_DATA_DIR: path, LINEKEEPER_TEMPORARY: 'on' },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
