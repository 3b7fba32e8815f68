import { type Command, InvalidArgumentError } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { printOutcome } from '../print.ts';
import { printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/keys';

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['NAME', (key) => key.name],
  ['SCOPES', (key) => key.scopes],
  ['CREATED', (key) => key.createdAt],
  ['CREATED BY', (key) => key.createdBy],
];

const SCOPES = ['read', 'fleet', 'feed', 'callbacks', 'users', 'clock', 'admin'] as const;
type Scope = (typeof SCOPES)[number];

/** One scope, or several separated by commas. */
function scopes(text: string, before: readonly Scope[] = []): readonly Scope[] {
  const named = text.split(',').map((name) => SCOPES.find((scope) => scope === name));
  const known = named.filter((scope) => scope !== undefined);
  if (known.length < named.length) throw new InvalidArgumentError(`Scopes are ${SCOPES.join(', ')}.`);
  return [...before, ...known];
}

async function create(name: string, { scope }: { scope: readonly Scope[] }, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const answer = await invocation.api.call('POST /operator/v1/keys', { body: { name, scopes: scope } });
  printOutcome(invocation, answer, `Key ${name}, shown only now: ${answer.key}`);
}

async function remove(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Delete the operator key ${name}?`, options);
  const answer = await invocation.api.call('DELETE /operator/v1/keys/{name}', { path: { name } });
  printOutcome(invocation, answer, `Key ${name} is deleted.`);
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Lists, creates and deletes named operator keys.');
  keys
    .command('list')
    .description('Lists the names of operator keys, without the keys themselves.')
    .addHelpText('after', '\nExample:\n  $ linekeeper keys list')
    .action((_: object, command: Command) =>
      printList(invocationOf(command), { route: LIST, columns: COLUMNS }, {}),
    );
  keys
    .command('create')
    .description('Creates an operator key and shows it once; the audit log shows its name.')
    .argument('<name>', 'letters, digits, dot, dash and underscore')
    .requiredOption('--scope <scope...>', `scopes of the key: ${SCOPES.join(', ')}`, scopes)
    .addHelpText('after', '\nExample:\n  $ linekeeper keys create nightly-import --scope read fleet')
    .action(create);
  keys
    .command('delete')
    .description('Deletes an operator key at once.')
    .argument('<name>', 'name of the key')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper keys delete nightly-import --yes')
    .action(remove);
}
