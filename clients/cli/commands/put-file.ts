import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../sdk/index.ts';
import { Ended, EXIT, Failure } from '../failure.ts';
import type { Invocation } from '../invocation.ts';
import { printOutcome, remark } from '../print.ts';
import { startProgress } from '../progress.ts';
import { sendFile } from '../send-file.ts';

const LIST = 'GET /operator/v1/network/{feed}/files';
const IDLE_SECONDS = 5 * 60;
const LOOK_MS = 500;

type File = Answer<typeof LIST>[number];

const describe = ({ accepted, duplicates, rejected }: File): string =>
  `Accepted ${accepted} records; ${duplicates} duplicates, ${rejected} rejected.`;

/** Polls until the service has processed the file or failed to. */
async function follow(invocation: Invocation, feed: string, name: string): Promise<File> {
  const progress = startProgress(invocation);
  try {
    for (;;) {
      const files = await invocation.api.call(LIST, { path: { feed }, query: { limit: 1_000 } });
      const file = files.find((each) => each.name === name);
      if (file !== undefined && file.state !== 'taking') return file;
      progress.show(file === undefined ? `${name} is waiting` : `${name}: line ${file.lines}`);
      await sleep(LOOK_MS);
    }
  } finally {
    progress.stop();
  }
}

/** Puts a file into the folder of a feed, and reports the result. */
export async function putFile(invocation: Invocation, feed: string, file: string): Promise<void> {
  // Makes the name unique, because the feed may have processed a file with this name.
  const name = `${randomUUID().slice(0, 8)}-${file === '-' ? 'standard-input' : basename(file)}`;
  await sendFile(invocation, file, {
    route: `PUT /operator/v1/network/${encodeURIComponent(feed)}/files/${encodeURIComponent(name)}`,
    contentType: 'application/octet-stream',
    idleSeconds: IDLE_SECONDS,
    atEnd: 'writing the file to its disk',
  });
  const taken = await follow(invocation, feed, name);
  if (taken.state === 'failed') throw new Failure('refused', `The file ${taken.reason}.`);
  printOutcome(invocation, taken, describe(taken));
  if (taken.rejected === 0) return;
  remark(invocation, `The reasons are in ${name}.rejected in the folder done of the feed.`);
  throw new Ended(EXIT.refused);
}
