import { type FileHandle, open, rm } from 'node:fs/promises';
import type { RejectedRecord } from '../../platform/feeds/parse-records.ts';

/** The lines that were not taken, with their reason, beside the file. Cut to what was committed when work on a file is taken up again. */
export async function openRejectFile(path: string, keptBytes: number) {
  let file: FileHandle | undefined;
  let bytes = keptBytes;
  if (keptBytes > 0) {
    file = await open(path, 'r+');
    await file.truncate(keptBytes);
  } else await rm(path, { force: true });
  return {
    /** Answers how long it is now; it is on the disk then. */
    async add(rejected: readonly RejectedRecord[]): Promise<number> {
      if (rejected.length === 0) return bytes;
      file ??= await open(path, 'w');
      const text = Buffer.from(rejected.map((one) => `${JSON.stringify(one)}\n`).join(''));
      await file.write(text, 0, text.length, bytes);
      await file.sync();
      bytes += text.length;
      return bytes;
    },
    close: async () => file?.close(),
  };
}
