import { chmodSync, chownSync, constants, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { ServerUser } from './server-user.ts';

/** Thousands of small files: in a thread of its own, so that whoever waits for them can do something else. */
export interface Copying {
  readonly from: string;
  readonly to: string;
  readonly user: ServerUser;
}

const { from, to, user } = workerData as Copying;
cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
// Files are copied with their modes, folders are not, and the server insists on this one's.
chmodSync(to, 0o700);
if (user !== null) {
  chownSync(to, user.uid, user.gid);
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
}
