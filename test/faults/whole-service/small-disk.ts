import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Enough for a database cluster with a small write-ahead log, and quickly full. */
const SIZE_MB = 512;
const PIECE = Buffer.alloc(1024 * 1024);
const SMALLEST_PIECE = 4096;

export interface SmallDisk {
  fill(): void;
  empty(): void;
  unmount(): void;
}

/** Mounts an in-memory file system on this folder, or returns the reason why it cannot. */
export function mountSmallDisk(folder: string): SmallDisk | string {
  if (process.platform !== 'linux') return 'only Linux mounts a small file system in memory';
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    return `no right to mount a small file system: ${(error as Error).message.split('\n')[1]}`;
  }
  const ballast = join(folder, 'ballast');
  const unmount = () => {
    process.off('exit', unmount);
    // Lazily, because a process of a killed server may still be exiting.
    execFileSync('umount', ['-l', folder]);
  };
  process.on('exit', unmount);
  return {
    fill() {
      const file = openSync(ballast, 'a');
      let size = PIECE.length;
      while (size >= SMALLEST_PIECE)
        try {
          writeSync(file, PIECE, 0, size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size /= 2;
        }
      closeSync(file);
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount,
  };
}
