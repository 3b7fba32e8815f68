import { writeFile } from 'node:fs/promises';
import { DONE, exists, FAILED, findPlace, moveIfExists } from './folder.ts';
import { type HeldFile, rejectPathOf } from './take-file.ts';

/**
 * Moves a finished file out of the way, with its rejected lines. The file itself moves last: until then, a process that
 * finds it after a crash repeats all of this.
 */
export async function settleFile({ feed, file }: HeldFile, reason: string | undefined): Promise<void> {
  // Its previous holder moved it after it was listed, or someone deleted it.
  if (!(await exists(file.path))) return;
  const target = await findPlace(feed.folder, reason === undefined ? DONE : FAILED, file.name);
  await moveIfExists(rejectPathOf(feed, file), `${target}.rejected`);
  if (reason !== undefined) await writeFile(`${target}.reason`, `The file ${reason}.\n`);
  await moveIfExists(file.path, target);
}
