import type { Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { printOutcome } from '../print.ts';
import { printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/snapshots';

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['NAME', (snapshot) => snapshot.name],
  ['TIME OF THE CLOCK', (snapshot) => snapshot.at],
  ['BYTES', (snapshot) => snapshot.bytes],
];

async function make(name: string, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const made = await invocation.api.call('POST /operator/v1/snapshots', { body: { name } });
  printOutcome(invocation, made, `Snapshot ${name} is saved; its clock is at ${made.at}.`);
}

async function restore(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Restore the snapshot ${name} and lose everything since then?`, options);
  const answer = await invocation.api.call('POST /operator/v1/snapshots/{name}/restore', { path: { name } });
  printOutcome(invocation, answer, `Snapshot ${name} is restored; the clock is at ${answer.now}.`);
}

async function remove(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Delete the snapshot ${name}?`, options);
  const answer = await invocation.api.call('DELETE /operator/v1/snapshots/{name}', { path: { name } });
  printOutcome(invocation, answer, `Snapshot ${name} is deleted.`);
}

async function reset(options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const question = 'Reset the sandbox to its start and lose everything since then?';
  await confirm(invocation, question, options);
  const answer = await invocation.api.call('POST /operator/v1/reset');
  printOutcome(invocation, answer, `The sandbox is reset; its clock is at ${answer.now}.`);
}

export function addSnapshots(program: Command): void {
  const snapshots = program
    .command('snapshots')
    .description('Saves and restores complete states of the sandbox.');
  snapshots
    .command('list')
    .description('Lists snapshots by name.')
    .addHelpText('after', '\nExample:\n  $ linekeeper snapshots list')
    .action((_: object, command: Command) =>
      printList(invocationOf(command), { route: LIST, columns: COLUMNS }, {}),
    );
  snapshots
    .command('make')
    .description('Saves the complete current state under a name, including the clock and secrets.')
    .argument('<name>', 'up to 50 letters, digits, dots, dashes and underscores')
    .addHelpText('after', '\nExample:\n  $ linekeeper snapshots make before-renewal')
    .action(make);
  snapshots
    .command('restore')
    .description('Restores a snapshot; everything since then is lost.')
    .argument('<name>', 'name of the snapshot')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper snapshots restore before-renewal --yes')
    .action(restore);
  snapshots
    .command('delete')
    .description('Deletes a snapshot.')
    .argument('<name>', 'name of the snapshot')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper snapshots delete before-renewal --yes')
    .action(remove);
}

export function addReset(program: Command): void {
  program
    .command('reset')
    .description('Resets the sandbox to its first fleet, and its clock to real time.')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper reset --yes')
    .action(reset);
}
