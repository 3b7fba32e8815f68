import { EXIT } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { plainText } from './plain-text.ts';
import { printOutcome } from './print.ts';
import { sendFile } from './send-file.ts';

/** The service reads on as fast as it writes; it is never silent for long. */
const IDLE_SECONDS = 5 * 60;

export interface Fed {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejectedTotal: number;
}

/** Feeds a file of records, names those that were rejected, and says how it went. */
export async function feedFile<T extends Fed>(
  invocation: Invocation,
  file: string,
  feed: { readonly path: string; readonly say: (fed: T) => string },
): Promise<void> {
  const fed = await sendFile<T>(invocation, file, {
    path: feed.path,
    contentType: 'application/x-ndjson',
    idleSeconds: IDLE_SECONDS,
    atEnd: 'writing the last records',
  });
  const { rejected, rejectedTotal } = fed;
  if (!invocation.json) {
    const lines = rejected.map(({ line, reason }) => `line ${line}: ${reason}`);
    const more = rejectedTotal - rejected.length;
    if (more > 0) lines.push(`and ${more} more`);
    if (lines.length > 0) process.stderr.write(`${lines.map(plainText).join('\n')}\n`);
  }
  printOutcome(invocation, fed, feed.say(fed));
  if (rejectedTotal > 0) process.exitCode = EXIT.refused;
}
