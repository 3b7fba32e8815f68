import type { Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { path } from '../operator-api.ts';
import { printOutcome } from '../print.ts';
import { printList } from '../print-list.ts';
import type { Column } from '../table.ts';

interface Key {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly createdBy: string;
}

const COLUMNS: readonly Column<Key>[] = [
  ['NAME', (key) => key.name],
  ['SCOPES', (key) => key.scopes],
  ['CREATED', (key) => key.createdAt],
  ['CREATED BY', (key) => key.createdBy],
];

async function create(name: string, { scope }: { scope: string[] }, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const scopes = scope.flatMap((text) => text.split(','));
  const { body } = await invocation.api.call<{ key: string }>('/keys', {
    method: 'POST',
    body: { name, scopes },
  });
  printOutcome(invocation, body, `Key ${name}, shown only now: ${body.key}`);
}

async function remove(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(`End the operator key ${name}?`, options);
  const { body } = await invocation.api.call(path`/keys/${name}`, { method: 'DELETE' });
  printOutcome(invocation, body, `Key ${name} has ended.`);
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Lists, creates and ends named operator keys.');
  keys
    .command('list')
    .description('Lists operator keys by name; never the keys themselves.')
    .addHelpText('after', '\nExample:\n  $ linekeeper keys list')
    .action((_: object, command: Command) =>
      printList(invocationOf(command), { path: '/keys', columns: COLUMNS }, {}),
    );
  keys
    .command('create')
    .description('Makes an operator key and shows it once; the audit log calls its user by the name.')
    .argument('<name>', 'letters, digits, dot, dash and underscore')
    .requiredOption('--scope <scope...>', 'what it may do: read, fleet, feed, callbacks, users, clock, admin')
    .addHelpText('after', '\nExample:\n  $ linekeeper keys create nightly-import --scope read fleet')
    .action(create);
  keys
    .command('delete')
    .description('Ends an operator key at once.')
    .argument('<name>', 'name of the key')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper keys delete nightly-import --yes')
    .action(remove);
}
