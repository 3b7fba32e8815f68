import { mkdir, opendir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that lies in a folder, and when it was last written to. */
export interface WaitingFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** Of a folder with more files the others are seen when these are done. */
const LISTED_MAX = 10_000;
const TAKEN_AT_ONCE = 1_000;
/** Whoever writes into a file still does so under such a name. */
const UNFINISHED = /^\.|\.(tmp|part|partial|filepart|rejected|reason)$/i;

export const DONE = 'done';
export const FAILED = 'failed';

async function sizeUp(folder: string, name: string): Promise<WaitingFile | undefined> {
  const path = join(folder, name);
  try {
    const { size, mtimeMs } = await stat(path);
    return { name, path, bytes: size, modifiedAt: new Date(Math.floor(mtimeMs)) };
  } catch (error) {
    // Another process has just moved it away.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What lies in the folder, the oldest first. */
export async function listWaiting(folder: string): Promise<readonly WaitingFile[]> {
  const names: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && !UNFINISHED.test(entry.name)) names.push(entry.name);
    if (names.length === LISTED_MAX) break;
  }
  const files: WaitingFile[] = [];
  for (let n = 0; n < names.length; n += TAKEN_AT_ONCE) {
    const some = names.slice(n, n + TAKEN_AT_ONCE);
    const sized = await Promise.all(some.map((name) => sizeUp(folder, name)));
    files.push(...sized.filter((file) => file !== undefined));
  }
  return files.toSorted(
    (a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.name < b.name ? -1 : 1),
  );
}

/** A file that was written to within this time may not be whole. */
const SETTLED_MS = 2_000;

/** Finds those that nobody has written to for a while. One that is dated ahead has to be seen unchanged for as long. */
export function settledFinder(nowMs: () => number = Date.now) {
  let ahead = new Map<string, number>();
  return (files: readonly WaitingFile[]): readonly WaitingFile[] => {
    const now = nowMs();
    const before = ahead;
    ahead = new Map();
    return files.filter(({ name, bytes, modifiedAt }) => {
      const modifiedMs = modifiedAt.getTime();
      if (modifiedMs <= now) return modifiedMs <= now - SETTLED_MS;
      const key = `${bytes} ${modifiedMs} ${name}`;
      const sinceMs = before.get(key) ?? now;
      ahead.set(key, sinceMs);
      return sinceMs <= now - SETTLED_MS;
    });
  };
}

/** Whether nobody has written to it since it was listed. */
export async function isUnchanged({ path, bytes, modifiedAt }: WaitingFile): Promise<boolean> {
  const { size, mtimeMs } = await stat(path);
  return size === bytes && Math.floor(mtimeMs) === modifiedAt.getTime();
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/** Where a file goes in a folder inside its own; one that is there under that name stays. */
export async function findPlace(folder: string, into: string, name: string): Promise<string> {
  await mkdir(join(folder, into), { recursive: true });
  let target = join(folder, into, name);
  for (let n = 2; await exists(target); n++) target = join(folder, into, `${name}.${n}`);
  return target;
}

/** Nothing where whoever took it over has moved it already, or there was none. */
export const moveIfThere = (path: string, target: string): Promise<void> =>
  rename(path, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
