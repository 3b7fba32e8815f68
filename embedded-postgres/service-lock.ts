import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareDataDir } from './data-dir.ts';
import { EmbeddedPostgresError, fileError } from './errors.ts';
import { giveToOwnerOfFolder, readIfThere, writeFileInOneStep } from './files.ts';
import { isAlive } from './process-identity.ts';

export interface ServiceLock {
  release(): Promise<void>;
}

/** A connection that nobody refers to is closed by the garbage collector, and its lock would go with it. */
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
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(lockFileOf(folder));
    // Of two starters exactly one gets this kind of lock, where BEGIN EXCLUSIVE may refuse both, and so may a
    // journal that a killed holder left behind.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new EmbeddedPostgresError(
        `The data folder ${folder} is in use by another Linekeeper (${await holderOf(pidFile)}).`,
      );
    }
    throw fileError(error, `lock the data folder ${folder}`);
  }
}

/** The holder writes its process id just after it got the lock, so the file may lag a moment behind. */
async function holderOf(pidFile: string): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await sleep(50);
    const pid = Number.parseInt((await readIfThere(pidFile).catch(() => null)) ?? '', 10);
    if (pid > 0 && isAlive(pid)) return `pid ${pid}`;
  }
  return 'its process id is not visible from here';
}
