import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const FILES = 'GET /operator/v1/network/{feed}/files';
const FILE_COLUMNS: readonly Column<Row<typeof FILES>>[] = [
  ['FILE', ({ name }) => name],
  ['STATE', ({ state }) => state],
  ['LINES', ({ lines }) => lines],
  ['ACCEPTED', ({ accepted }) => accepted],
  ['DUPLICATES', ({ duplicates }) => duplicates],
  ['REJECTED', ({ rejected }) => rejected],
  ['BEGUN', ({ begunAt }) => begunAt],
  ['REASON', ({ reason }) => reason],
];

const DOUBTFUL = 'GET /operator/v1/usage/doubtful';
const DOUBTFUL_COLUMNS: readonly Column<Row<typeof DOUBTFUL>>[] = [
  ['ACCOUNT', ({ accountName }) => accountName],
  ['DEVICE', ({ device }) => device],
  ['ACCESS SERVER', ({ nas }) => nas],
  ['SESSION', ({ sessionId }) => sessionId],
  ['AT', ({ at }) => at],
  ['BYTES', ({ bytes }) => bytes],
];

/** The results of the files of a feed. */
export function addFiles(network: Command): void {
  withListOptions(network.command('files'))
    .description('Lists the files that a feed has processed or is processing, newest first.')
    .argument('<feed>', 'name of the feed')
    .addHelpText('after', '\nExample:\n  $ linekeeper network files roaming')
    .action((feed: string, options: ListOptions, command: Command) =>
      printList(invocationOf(command), { route: FILES, path: { feed }, columns: FILE_COLUMNS }, options),
    );
}

/** What access servers reported in a way that can be read twice. */
export function addDoubtful(network: Command): void {
  withListOptions(network.command('doubtful'))
    .description('Lists usage of data sessions that may have been counted twice, newest first.')
    .argument('[account]', 'account name; without it, all accounts')
    .addHelpText('after', '\nExample:\n  $ linekeeper network doubtful 0000123456-00001')
    .action((accountName: string | undefined, options: ListOptions, command: Command) =>
      printList(
        invocationOf(command),
        { route: DOUBTFUL, query: { accountName }, columns: DOUBTFUL_COLUMNS },
        options,
      ),
    );
}
