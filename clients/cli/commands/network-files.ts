import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/network/{feed}/files';
const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['FILE', ({ name }) => name],
  ['STATE', ({ state }) => state],
  ['LINES', ({ lines }) => lines],
  ['ACCEPTED', ({ accepted }) => accepted],
  ['DUPLICATES', ({ duplicates }) => duplicates],
  ['REJECTED', ({ rejected }) => rejected],
  ['BEGUN', ({ begunAt }) => begunAt],
  ['REASON', ({ reason }) => reason],
];

/** The results of the files of a feed. */
export function addFiles(network: Command): void {
  withListOptions(network.command('files'))
    .description('Lists the files that a feed has processed or is processing, newest first.')
    .argument('<feed>', 'name of the feed')
    .addHelpText('after', '\nExample:\n  $ linekeeper network files roaming')
    .action((feed: string, options: ListOptions, command: Command) =>
      printList(invocationOf(command), { route: LIST, path: { feed }, columns: COLUMNS }, options),
    );
}
