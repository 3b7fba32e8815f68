import { type FileHandle, open, rm } from 'node:fs/promises';
import type { RejectedRecord } from '../../platform/feeds/parse-records.ts';

/** Opens the existing file, cut to what was committed; undefined if someone deleted it. */
async function openKept(path: string, keptBytes: number): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, 'r+');
    await file.truncate(keptBytes);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the rejected lines, with their reasons, next to the file. It continues where earlier work on the file ended. */
export async function openRejectFile(path: string, keptBytes: number) {
  let file: FileHandle | undefined;
  if (keptBytes > 0) file = await openKept(path, keptBytes);
  else await rm(path, { force: true });
  let bytes = file === undefined ? 0 : keptBytes;
  return {
    /** Returns its length after the data is on the disk. */
    async add(rejected: readonly RejectedRecord[]): Promise<number> {
      if (rejected.length === 0) return bytes;
      file ??= await open(path, 'w');
      const text = Buffer.from(rejected.map((one) => `${JSON.stringify(one)}\n`).join(''));
      for (let at = 0; at < text.length; )
        at += (await file.write(text, at, text.length - at, bytes + at)).bytesWritten;
      await file.sync();
      bytes += text.length;
      return bytes;
    },
    close: async () => file?.close(),
  };
}
