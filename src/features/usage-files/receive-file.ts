import { randomUUID } from 'node:crypto';
import { link, open, rm, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A name without a path that does not mark the file as unfinished. */
const NAME = /^(?!\.)(?!.*\.(tmp|part|partial|filepart|rejected|reason)$)[^/\\\0]{1,200}$/i;
/** The file is dated this far back because it is complete: the scan need not wait for further changes. */
const AGE_MS = 60_000;

type Received = 'received' | 'taken' | 'badName' | 'tooLarge';

/** Stores a complete file in a folder: either all of it is on the disk, or nothing. */
export async function receiveFile(
  folder: string,
  name: string,
  content: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Received> {
  if (!NAME.test(name) || basename(name) !== name) return 'badName';
  const part = join(folder, `.${randomUUID()}.part`);
  const file = await open(part, 'wx');
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'taken';
    throw error;
  } finally {
    await file.close();
    await rm(part, { force: true });
  }
}
