import { randomUUID } from 'node:crypto';
import { link, open, rm, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Such a name is no path, and does not say that the file is unfinished. */
const NAME = /^(?!\.)(?!.*\.(tmp|part|partial|filepart|rejected|reason)$)[^/\\\0]{1,200}$/i;
/** It is whole: nobody has to see that it is not written to any more. */
const AGE_MS = 60_000;

type Received = 'received' | 'taken' | 'badName' | 'tooLarge';

/** Puts a file into a folder as a whole: it is on the disk, or it is not there. */
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
      // Unlike `write` it goes on until all of it is written.
      await file.writeFile(piece);
    }
    await file.sync();
    const before = new Date(Date.now() - AGE_MS);
    await utimes(part, before, before);
    // Unlike a new name, another one for it takes nobody's place.
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
