import type { Command } from 'commander';
import { type Fed, feedFile } from '../feed-file.ts';
import { invocationOf } from '../invocation.ts';

const feedReadings = (file: string, _: object, command: Command): Promise<void> =>
  feedFile<Fed & { readonly late: number }>(invocationOf(command), file, {
    path: '/readings',
    say: ({ accepted, duplicates, late, rejectedTotal }) =>
      `Accepted ${accepted} readings; ${duplicates} were there before, ${late} came late, ${rejectedTotal} were rejected.`,
  });

export function addReadings(program: Command): void {
  program
    .command('readings')
    .description(
      'Feeds readings of devices, which their rules are compared with: one JSON record a line, a JSON array or a batch ' +
        'of CloudEvents, each also as gzip. Feeding a file again changes nothing, so one that broke off is simply fed again.',
    )
    .argument('<file>', 'the readings; - reads standard input')
    .addHelpText('after', '\nExample:\n  $ linekeeper readings readings-2026-01-15.ndjson.gz')
    .action(feedReadings);
}
