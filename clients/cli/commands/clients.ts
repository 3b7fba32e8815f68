import type { Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { printOutcome, remark } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/clients';

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['CLIENT', (client) => client.clientId],
  ['CREATED', (client) => client.createdAt],
  ['DISABLED', (client) => client.disabledAt],
];

const SWITCHES = [
  ['disable', 'Disables an application and revokes its token, until you enable it again.', 'disabled'],
  ['enable', 'Enables a disabled application.', 'enabled'],
] as const;

type RotateOptions = YesOption & { readonly atOnce?: boolean };

async function rotate(clientId: string, options: RotateOptions, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const { atOnce = false } = options;
  if (atOnce)
    await confirm(invocation, `Give client ${clientId} a new secret and end the old one now?`, options);
  const answer = await invocation.api.call('POST /operator/v1/clients/{clientId}/rotate', {
    path: { clientId },
    body: { atOnce },
  });
  const old = atOnce ? 'The old secret has ended.' : 'The old secret stays valid for 24 hours.';
  if (!invocation.json) remark(invocation, old);
  printOutcome(invocation, answer, `New secret of ${clientId}, shown only now: ${answer.clientSecret}`);
}

export function addClients(program: Command): void {
  const clients = program.command('clients').description('Lists applications and renews their secrets.');
  withListOptions(clients.command('list'))
    .description('Lists applications by their client id, without secrets.')
    .addHelpText('after', '\nExample:\n  $ linekeeper clients list')
    .action((options: ListOptions, command: Command) =>
      printList(invocationOf(command), { route: LIST, columns: COLUMNS }, options),
    );
  clients
    .command('rotate')
    .description('Gives an application a new secret and shows it once; the old one stays valid for 24 hours.')
    .argument('<clientId>', 'client id of the application')
    .option('--at-once', 'end the old secret now')
    .option('--yes', 'do not ask, with --at-once')
    .addHelpText('after', '\nExample:\n  $ linekeeper clients rotate app --at-once --yes')
    .action(rotate);
  for (const [verb, description, done] of SWITCHES) {
    clients
      .command(verb)
      .description(description)
      .argument('<clientId>', 'client id of the application')
      .addHelpText('after', `\nExample:\n  $ linekeeper clients ${verb} app`)
      .action(async (clientId: string, _: object, command: Command) => {
        const invocation = invocationOf(command);
        const path = { clientId };
        const answer = await invocation.api.call(`POST /operator/v1/clients/{clientId}/${verb}`, { path });
        printOutcome(invocation, answer, `Client ${clientId} is ${done}.`);
      });
  }
}
