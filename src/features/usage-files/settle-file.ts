import { writeFile } from 'node:fs/promises';
import { DONE, FAILED, findPlace, moveIfExists, putBack, statFile, takeAway } from './folder.ts';
import { type HeldFile, rejectPathOf } from './take-file.ts';

/**
 * Moves a finished file out of the way, with its rejected lines. The file itself arrives last: until then, a process that
 * finds it after a crash repeats all of this. A file that came in its place stays, unless that is the reason.
 */
export async function settleFile(
  { feed, file }: HeldFile,
  reason: string | undefined,
  hasChanged = false,
): Promise<void> {
  if ((await statFile(feed.folder, file.name)) === undefined) return;
  const target = await findPlace(feed.folder, reason === undefined ? DONE : FAILED, file.name);
  const path = await takeAway(feed.folder, file, hasChanged);
  if (path === undefined) return;
  try {
    await moveIfExists(rejectPathOf(feed, file), `${target}.rejected`);
    if (reason !== undefined) await writeFile(`${target}.reason`, `The file ${reason}.\n`);
    await moveIfExists(path, target);
  } catch (error) {
    await putBack(feed.folder, path);
    throw error;
  }
}
