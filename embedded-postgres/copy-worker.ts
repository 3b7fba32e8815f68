import {
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { ServerUser } from './server-user.ts';

/** Thousands of small files: in a thread of its own, so that whoever waits for them can do something else. */
export interface Copying {
  readonly from: string;
  readonly to: string;
  readonly user: ServerUser;
}

const PAGE_BYTES = 8192;
const LOG_FOLDER = 'pg_wal';
const LOG_FILE = /^[0-9A-F]{24}$/;

/** Every page of the server's log that was written begins with a mark. */
const isWritten = (page: Buffer): boolean => page.readUInt16LE() !== 0;

/** A file of the log has its full length from the beginning, and is nearly empty: what was not written stays a hole. */
function copyLogFile(from: string, to: string): void {
  const [source, target] = [openSync(from, 'r'), openSync(to, 'wx', 0o600)];
  try {
    const page = Buffer.alloc(PAGE_BYTES);
    while (readSync(source, page) === PAGE_BYTES && isWritten(page)) writeSync(target, page);
    ftruncateSync(target, fstatSync(source).size);
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** The server insists on the mode of its folder, and makes all others with it. */
function copyFolder(from: string, to: string, user: ServerUser): void {
  mkdirSync(to, { mode: 0o700 });
  if (user !== null) chownSync(to, user.uid, user.gid);
  const isLog = basename(from) === LOG_FOLDER;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      copyFolder(source, target, user);
      continue;
    }
    if (isLog && LOG_FILE.test(entry.name)) copyLogFile(source, target);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
    if (user !== null) chownSync(target, user.uid, user.gid);
  }
}

const { from, to, user } = workerData as Copying;
copyFolder(from, to, user);
