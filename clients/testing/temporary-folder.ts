import { chmod, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** What the service needs to know about it. */
  readonly env: Readonly<Record<string, string>>;
  /** The service deletes it at its end: this is for one that did not come so far. */
  remove(): Promise<void>;
}

/** Where Linux has files in memory. Whoever names a temporary folder in the environment gets that one. */
const IN_MEMORY = '/dev/shm';
const NAMES = ['TMPDIR', 'TMP', 'TEMP'];
/** A sandbox takes some 100 MB, and more with what a test writes; others need memory too. */
const GB = 1024 ** 3;
const [ROOM_MIN, MEMORY_MIN] = [GB, 2 * GB];
const MOUNTED = new RegExp(`^\\S+ ${IN_MEMORY} tmpfs (\\S+)`, 'm');

/** The database's programs may be copied beside its data, and must run there. */
async function runsPrograms(): Promise<boolean> {
  const options = MOUNTED.exec(await readFile('/proc/self/mounts', 'utf8'))?.[1]?.split(',');
  return options?.includes('rw') === true && !options.includes('noexec');
}

async function hasRoom(): Promise<boolean> {
  const { bavail, bsize } = await statfs(IN_MEMORY);
  // Also what a container may take at most, where Node knows it.
  const memory = process.availableMemory?.() ?? freemem();
  return bavail * bsize >= ROOM_MIN && memory >= MEMORY_MIN;
}

/** Thousands of files come and go with each sandbox, which in memory takes a tenth of the time. */
async function chooseRoot(): Promise<string> {
  if (process.platform !== 'linux' || NAMES.some((name) => process.env[name])) return tmpdir();
  const isUsable = await Promise.all([runsPrograms(), hasRoom()]).catch(() => [false]);
  return isUsable.every(Boolean) ? IN_MEMORY : tmpdir();
}

async function makeFolder(): Promise<string> {
  const name = 'linekeeper-sandbox-';
  return mkdtemp(join(await chooseRoot(), name)).catch(() => mkdtemp(join(tmpdir(), name)));
}

/** A data folder that goes with its service. By its name and its mark the next service finds it, should this one be killed. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await makeFolder();
  // PostgreSQL does not run as root: the user it runs as then has to pass through here.
  if (process.geteuid?.() === 0) await chmod(path, 0o711);
  await writeFile(join(path, 'temporary'), '');
  return {
    path,
    env: { LINEKEEPER_DATA_DIR: path, LINEKEEPER_TEMPORARY: 'on' },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
