import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DONE, FAILED, moveInto } from './folder.ts';
import { hasRejectFile } from './reject-file.ts';
import { type HeldFile, rejectPathOf } from './take-file.ts';

/** Moves a file that has ended out of the way, with what could not be taken of it. Done again where a process was killed in between. */
export async function settleFile({ feed, file }: HeldFile, reason: string | undefined): Promise<void> {
  const rejectPath = rejectPathOf(feed, file);
  const target = await moveInto(feed.folder, reason === undefined ? DONE : FAILED, file);
  if (await hasRejectFile(rejectPath)) await rename(rejectPath, `${target}.rejected`);
  if (reason !== undefined) await writeFile(`${join(target)}.reason`, `The file ${reason}.\n`);
}
