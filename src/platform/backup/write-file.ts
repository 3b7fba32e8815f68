import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BackupError } from './errors.ts';
import type { Totals } from './format.ts';

/** Fast: a backup holds back the server's clean-up for as long as it takes. */
const GZIP_LEVEL = 3;

export interface BackupFile {
  line(value: object): Promise<void>;
  block(bytes: Buffer): Promise<void>;
  /** Only now there is a file of that name, and it is on the disk. */
  finish(totals: Totals): Promise<void>;
  discard(): Promise<void>;
}

export async function createBackupFile(path: string): Promise<BackupFile> {
  const target = resolve(path);
  if (existsSync(target)) throw new BackupError(`${target} is there already; a backup replaces nothing.`);
  const draft = `${target}.part`;
  const hash = createHash('sha256');
  const gzip = createGzip({ level: GZIP_LEVEL });
  // Passwords' hashes, sealed secrets and positions are in it: for its owner only.
  const written = pipeline(gzip, createWriteStream(draft, { mode: 0o600, flush: true }));
  written.catch(() => {});

  async function write(bytes: Buffer): Promise<void> {
    hash.update(bytes);
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written]);
  }
  const line = (value: object) => write(Buffer.from(`${JSON.stringify(value)}\n`));
  return {
    line,
    async block(bytes) {
      await line({ bytes: bytes.length });
      await write(bytes);
    },
    async finish(totals) {
      await line({ ...totals, sha256: hash.copy().digest('hex') });
      gzip.end();
      await written;
      await rename(draft, target);
      const folder = await open(dirname(target));
      await folder.sync().finally(() => folder.close());
    },
    async discard() {
      gzip.destroy();
      await written.catch(() => {});
      await rm(draft, { force: true });
    },
  };
}
