import { randomUUID } from 'node:crypto';
import { link, open, rm, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isReserved } from './folder.ts';

/** A plain name without a path that does not mark the file as unfinished. */
const NAME = /^(?!\.)(?!.*\.(tmp|part|partial|filepart|rejected|reason)$)[^/\\\p{C}\ufffd]+$/iu;
/** Leaves room for the endings of the files next to it. */
const NAME_BYTES_MAX = 200;

const isPlainName = (name: string): boolean =>
  NAME.test(name) &&
  basename(name) === name &&
  Buffer.byteLength(name) <= NAME_BYTES_MAX &&
  !isReserved(name);
/** The file is dated this far back because it is complete: the scan need not wait for further changes. */
const AGE_MS = 60_000;

type Received = 'received' | 'taken' | 'badName' | 'tooLarge' | 'noFolder';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Stores a complete file in a folder: either all of it is on the disk, or nothing. */
export async function receiveFile(
  folder: string,
  name: string,
  content: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Received> {
  if (!isPlainName(name)) return 'badName';
  const part = join(folder, `.${randomUUID()}.part`);
  const file = await open(part, 'wx').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (file === undefined) return 'noFolder';
  try {
    let bytes = 0;
    for await (const piece of content) {
      bytes += piece.length;
      if (bytes > bytesMax) return 'tooLarge';
      // Unlike `write`, it continues until all of it is written.
      await file.writeFile(piece);
    }
    await file.sync();
    const before = new Date(Date.now() - AGE_MS);
    await utimes(part, before, before);
    // Unlike `rename`, `link` fails if a file of that name exists.
    await link(part, join(folder, name));
    return 'received';
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'taken';
    throw error;
  } finally {
    await file.close();
    await rm(part, { force: true });
  }
}
