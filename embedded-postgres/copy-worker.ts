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

/** Copies thousands of small files in its own thread, so that the caller can do other work. */
export interface Copying {
  readonly from: string;
  readonly to: string;
  readonly user: ServerUser;
}

const PAGE_BYTES = 8192;
const LOG_FOLDER = 'pg_wal';
const LOG_FILE = /^[0-9A-F]{24}$/;

/** Every written page of the server's log begins with a mark. */
const isWritten = (page: Buffer): boolean => page.readUInt16LE() !== 0;

/** Log files have their full length from the start but are nearly empty, so unwritten pages become holes. */
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

/** The server requires this mode for its folder and uses it for all others. */
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
