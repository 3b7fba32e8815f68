import type { Command } from 'commander';
import { feedFile } from '../feed-file.ts';
import { invocationOf } from '../invocation.ts';

const feedUsage = (file: string, _: object, command: Command): Promise<void> =>
  feedFile(invocationOf(command), file, {
    path: '/usage',
    say: ({ accepted, duplicates, rejectedTotal }) =>
      `Accepted ${accepted} records; ${duplicates} were there before, ${rejectedTotal} were rejected.`,
  });

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
