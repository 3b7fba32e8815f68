import { link, lstat, mkdir, opendir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A file in a folder, with the times of the last change of its content and of anything about it. */
export interface WaitingFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly changedAt: Date;
  readonly inode: number;
}

/** Files listed at once. If a folder has more, the others are listed when these are done. */
const LISTED_MAX = 10_000;
const TAKEN_AT_ONCE = 1_000;
/** Names of files that are still being written. */
const UNFINISHED = /^\.|\.(tmp|part|partial|filepart|rejected|reason)$/i;

/** A finished file has this before its name until it is in its result folder. */
const MOVING = '.moving-';

export const DONE = 'done';
export const FAILED = 'failed';
/** The names of the result folders, in any spelling: some file systems do not distinguish them. */
export const isReserved = (name: string): boolean => [DONE, FAILED].includes(name.toLowerCase());

export async function statFile(folder: string, name: string): Promise<WaitingFile | undefined> {
  const path = join(folder, name);
  try {
    const { size, mtimeMs, ctimeMs, ino: inode } = await stat(path);
    const modifiedAt = new Date(Math.floor(mtimeMs));
    return { name, path, bytes: size, modifiedAt, changedAt: new Date(Math.floor(ctimeMs)), inode };
  } catch (error) {
    // Another process has just moved it away.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A name with its control and invisible characters, and bytes that are not UTF-8, written as codes. */
export function escapeName(name: Buffer | string): string {
  const text = typeof name === 'string' ? name : name.toString();
  const isText = typeof name === 'string' || Buffer.from(text).equals(name);
  return isText
    ? text.replaceAll(/\p{C}/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
    : name
        .toString('latin1')
        .replaceAll(/[^ -~]/g, (byte) => `\\x${Buffer.from(byte, 'latin1').toString('hex')}`);
}

interface FolderContent {
  /** Oldest first. */
  readonly files: readonly WaitingFile[];
  /** Escaped names of files whose names are no text or have control characters: they are not taken. */
  readonly badNames: readonly string[];
  /** Files that were on their way to a result folder, by their present names. */
  readonly moving: readonly string[];
}

/** The files in the folder. */
export async function listWaiting(folder: string): Promise<FolderContent> {
  const names: string[] = [];
  const badNames: string[] = [];
  const moving: string[] = [];
  for await (const entry of await opendir(folder, { encoding: 'buffer' as BufferEncoding })) {
    const bytes = entry.name as unknown as Buffer;
    const name = bytes.toString();
    // Files of other spellings stand here only where the file system distinguishes them.
    const isResult = name === DONE || name === FAILED;
    if (!entry.isFile() || isResult) continue;
    if (name.startsWith(MOVING)) moving.push(name);
    else if (UNFINISHED.test(name)) continue;
    else if (!/\p{Cc}/u.test(name) && Buffer.from(name).equals(bytes)) names.push(name);
    else if (badNames.length < LISTED_MAX) badNames.push(escapeName(bytes));
    if (names.length === LISTED_MAX || moving.length === LISTED_MAX) break;
  }
  const files: WaitingFile[] = [];
  for (let n = 0; n < names.length; n += TAKEN_AT_ONCE) {
    const some = names.slice(n, n + TAKEN_AT_ONCE);
    const sized = await Promise.all(some.map((name) => statFile(folder, name)));
    files.push(...sized.filter((file) => file !== undefined));
  }
  files.sort((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.name < b.name ? -1 : 1));
  return { files, badNames, moving };
}

/** A file changed within this time may be incomplete. */
const SETTLED_MS = 2_000;

/** Finds files that have not changed for a while. A file dated in the future must be seen unchanged for as long. */
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

/** Whether it is unchanged since it was listed. */
export async function isUnchanged({ path, bytes, modifiedAt, inode }: WaitingFile): Promise<boolean> {
  const { size, mtimeMs, ino } = await stat(path);
  return size === bytes && Math.floor(mtimeMs) === modifiedAt.getTime() && ino === inode;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

const PLACES_MAX = 100;

/** A path in the folder that is free. Beyond a number of files of one name, looking for the next number takes too long. */
async function findFree(folder: string, name: string): Promise<string> {
  for (let n = 1; n <= PLACES_MAX; n++) {
    const path = join(folder, n === 1 ? name : `${name}.${n}`);
    if (!(await exists(path))) return path;
  }
  return join(folder, `${name}.${process.hrtime.bigint()}`);
}

/**
 * A file that has the name of a result folder would keep all others from being moved away. It gets another name, and is
 * then taken like them.
 */
export async function freeResultNames(folder: string): Promise<void> {
  for (const name of [DONE, FAILED]) {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile()) await moveIfExists(path, await findFree(folder, `${name}.file`));
  }
}

/** The path to which a file moves in a result folder. An existing file of that name stays. */
export async function findPlace(folder: string, into: string, name: string): Promise<string> {
  await mkdir(join(folder, into), { recursive: true });
  return findFree(join(folder, into), name);
}

/** Does nothing if the file does not exist, for example because the process that took it over already moved it. */
export const moveIfExists = (path: string, target: string): Promise<void> =>
  rename(path, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });

/** Unlike `rename`, `link` fails if a file of that name has come meanwhile. */
export async function putBack(folder: string, moved: string): Promise<void> {
  await link(moved, await findFree(folder, basename(moved).slice(MOVING.length)));
  await rm(moved);
}

/**
 * Gives a finished file a name of its own and returns its path: under the old one, another file may come in its place at
 * any time. Undefined if that has happened and no other is wanted, or if the file is gone.
 */
export async function takeAway(
  folder: string,
  file: WaitingFile,
  isOtherWanted: boolean,
): Promise<string | undefined> {
  const there = await statFile(folder, file.name);
  if (there === undefined) return undefined;
  if (!isOtherWanted && there.changedAt.getTime() !== file.changedAt.getTime()) return undefined;
  const path = join(folder, `${MOVING}${file.name}`);
  await rename(file.path, path);
  if (isOtherWanted || (await isUnchanged({ ...file, path }))) return path;
  await putBack(folder, path);
  return undefined;
}

/** Moving takes no longer, so the process that moved the file was killed. */
const MOVING_MAX_MS = 60_000;

/** Puts back files that a killed process left under names of their own. They are read again, and add nothing. */
export async function putBackLeft(
  folder: string,
  moving: readonly string[],
  nowMs = Date.now(),
): Promise<void> {
  for (const moved of moving) {
    const file = await statFile(folder, moved);
    if (file !== undefined && file.changedAt.getTime() <= nowMs - MOVING_MAX_MS)
      await putBack(folder, join(folder, moved));
  }
}
