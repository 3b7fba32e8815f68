import type { Command } from 'commander';
import { EXIT } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { plainText } from '../plain-text.ts';
import { printOutcome } from '../print.ts';
import { sendFile } from '../send-file.ts';

/** The service reads on as fast as it writes; it is never silent for long. */
const IDLE_SECONDS = 5 * 60;

interface Fed {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejectedTotal: number;
}

async function feedUsage(file: string, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const fed = await sendFile<Fed>(invocation, file, {
    path: '/usage',
    contentType: 'application/x-ndjson',
    idleSeconds: IDLE_SECONDS,
    atEnd: 'writing the last records',
  });
  const { accepted, duplicates, rejected, rejectedTotal } = fed;
  if (!invocation.json) {
    const lines = rejected.map(({ line, reason }) => `line ${line}: ${reason}`);
    const more = rejectedTotal - rejected.length;
    if (more > 0) lines.push(`and ${more} more`);
    if (lines.length > 0) process.stderr.write(`${lines.map(plainText).join('\n')}\n`);
  }
  printOutcome(
    invocation,
    fed,
    `Accepted ${accepted} records; ${duplicates} were there before, ${rejectedTotal} were rejected.`,
  );
  if (rejectedTotal > 0) process.exitCode = EXIT.refused;
}

export function addUsage(program: Command): void {
  program
    .command('usage')
    .description(
      'Feeds usage records: one JSON record a line, a JSON array or a batch of CloudEvents, each also as gzip. ' +
        'Feeding a file again changes nothing, so one that broke off is simply fed again.',
    )
    .argument('<file>', 'the records; - reads standard input')
    .addHelpText('after', '\nExample:\n  $ linekeeper usage usage-2026-01-15.ndjson.gz')
    .action(feedUsage);
}
