import { writeFile } from 'node:fs/promises';
import { DONE, exists, FAILED, findPlace, moveIfThere } from './folder.ts';
import { type HeldFile, rejectPathOf } from './take-file.ts';

/**
 * Moves a file that has ended out of the way, with what could not be taken of it. The file itself goes last: while it is there,
 * whoever finds it after a kill does all of this again.
 */
export async function settleFile({ feed, file }: HeldFile, reason: string | undefined): Promise<void> {
  // Whoever had it before has moved it since it was listed, or somebody has taken it away.
  if (!(await exists(file.path))) return;
  const target = await findPlace(feed.folder, reason === undefined ? DONE : FAILED, file.name);
  await moveIfThere(rejectPathOf(feed, file), `${target}.rejected`);
  if (reason !== undefined) await writeFile(`${target}.reason`, `The file ${reason}.\n`);
  await moveIfThere(file.path, target);
}
