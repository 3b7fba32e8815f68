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

/** Each by itself or several with commas between them. */
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
  await confirm(invocation, `End the operator key ${name}?`, options);
  const answer = await invocation.api.call('DELETE /operator/v1/keys/{name}', { path: { name } });
  printOutcome(invocation, answer, `Key ${name} has ended.`);
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Lists, creates and ends named operator keys.');
  keys
    .command('list')
    .description('Lists operator keys by name; never the keys themselves.')
    .addHelpText('after', '\nExample:\n  $ linekeeper keys list')
    .action((_: object, command: Command) =>
      printList(invocationOf(command), { route: LIST, columns: COLUMNS }, {}),
    );
  keys
    .command('create')
    .description('Creates an operator key and shows it once; the audit log shows its name.')
    .argument('<name>', 'letters, digits, dot, dash and underscore')
    .requiredOption('--scope <scope...>', `what it may do: ${SCOPES.join(', ')}`, scopes)
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
