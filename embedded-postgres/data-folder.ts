import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataFolderError, EmbeddedPostgresError, errorCode, fileError, fileSentence } from './errors.ts';
import { giveToOwnerOfFolder, readIfThere, writeFileInOneStep } from './files.ts';
import { isRoot } from './server-user.ts';
import { isAlive } from './stop-server.ts';

/** Ensures a data folder that this process can use, and returns its path without symbolic links. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  await createIfMissing(path);
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new DataFolderError(fileSentence(error, `read and write the data folder ${path}`), {
      cause: error,
    });
  }
}

async function createIfMissing(path: string): Promise<void> {
  try {
    const made = await makeFolders(path);
    if (made.length === 0) return;
    // Under root the server runs as another user, who has to pass through these folders but not to list them.
    if (isRoot()) for (const folder of made) await chmod(folder, 0o711);
    else await chmod(path, 0o700);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      throw new DataFolderError(`The data folder ${path} is not a folder.`, { cause: error });
    }
    throw new DataFolderError(fileSentence(error, `create the data folder ${path}`), { cause: error });
  }
}

/**
 * Creates a folder and its missing parents, and returns the created ones, the highest first. Does not use
 * `recursive`, which retries forever if the system answers ENOENT below an existing folder, as in /proc.
 */
export async function makeFolders(path: string): Promise<string[]> {
  const made: string[] = [];
  for (const folder of await missingOf(resolve(path))) if (await make(folder)) made.push(folder);
  return made;
}

async function missingOf(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = path; !(await isThere(folder)); folder = dirname(folder)) missing.unshift(folder);
  return missing.length === 0 ? [path] : missing;
}

/** The root always exists. */
async function isThere(folder: string): Promise<boolean> {
  if (folder === dirname(folder)) return true;
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The folder existed, or another process has just created it. */
async function make(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory()) return false;
    throw error;
  }
}

interface ServiceLock {
  release(): Promise<void>;
}

/** Keeps a reference, because the garbage collector would close the connection and drop its lock. */
const held = new Set<DatabaseSync>();

const sqliteBusy = 5;

/**
 * One process at a time may use a data folder. Node offers no file locks of its own, but SQLite takes one on
 * every system: the system drops it with the process, however that ends, so it never outlives its holder and
 * knows no reused process ids. The file stays empty, and it must never be opened by anything else in this
 * process, because closing a file drops all POSIX locks that the process holds on it.
 */
export async function lockDataDir(dataDir: string): Promise<ServiceLock> {
  const folder = await prepareDataDir(dataDir);
  const pidFile = join(folder, 'service.pid');
  const connection = await takeLock(folder, pidFile);
  held.add(connection);
  const release = async (): Promise<void> => {
    if (held.delete(connection)) connection.close();
  };
  try {
    await giveToOwnerOfFolder(lockFileOf(folder));
    await writeFileInOneStep(pidFile, `${process.pid}\n`, 0o644);
  } catch (error) {
    await release();
    throw fileError(error, `lock the data folder ${folder}`);
  }
  return { release };
}

function lockFileOf(folder: string): string {
  return join(folder, 'service.lock');
}

async function takeLock(folder: string, pidFile: string): Promise<DatabaseSync> {
  const connection = tryLock(folder);
  if (connection !== undefined) return connection;
  throw new EmbeddedPostgresError(
    `The data folder ${folder} is in use by another Linekeeper (${await holderOf(pidFile)}).`,
  );
}

/** Undefined if another process holds it. Never call it for a folder of this process, whose own lock it would drop. */
export function tryLock(folder: string): DatabaseSync | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(lockFileOf(folder));
    // Of two starters, exactly one gets this lock. BEGIN EXCLUSIVE might refuse both, as might a journal left
    // by a killed holder.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw fileError(error, `lock the data folder ${folder}`);
  }
}

/** The holder writes its process id just after it gets the lock, so the file may lag a moment. */
async function holderOf(pidFile: string): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await sleep(50);
    const pid = Number.parseInt((await readIfThere(pidFile).catch(() => null)) ?? '', 10);
    if (pid > 0 && isAlive(pid)) return `pid ${pid}`;
  }
  return 'its process id is not visible from here';
}
