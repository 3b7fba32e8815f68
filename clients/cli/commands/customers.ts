import type { Command } from 'commander';
import { type Answer, LinekeeperError } from '../../sdk/index.ts';
import { confirm, type YesOption } from '../confirm.ts';
import { Failure } from '../failure.ts';
import { type Invocation, invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { pollUntil } from '../poll.ts';
import { printFields, printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import { startProgress } from '../progress.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/customers';
const SHOW = 'GET /operator/v1/customers/{ecpdId}';
type Customer = Answer<typeof SHOW>;

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['CUSTOMER', (customer) => customer.ecpdId],
  ['ACCOUNTS', (customer) => customer.accountCount],
];

/** Undefined if the customer no longer exists. */
const readIfThere = (api: Invocation['api'], ecpdId: string): Promise<Customer | null> =>
  api.call(SHOW, { path: { ecpdId } }).catch((error: unknown) => {
    if (error instanceof LinekeeperError && error.status === 404) return null;
    throw error;
  });

async function follow(invocation: Invocation, ecpdId: string): Promise<void> {
  const progress = startProgress(invocation);
  try {
    await pollUntil(
      async () => {
        const seen = await readIfThere(invocation.api, ecpdId);
        if (seen?.deletion?.state === 'failed')
          throw new Failure('refused', `The deletion failed: ${seen.deletion.lastError ?? 'unknown reason'}`);
        progress.show(`${seen?.accountCount ?? 0} accounts left`);
        return seen;
      },
      // A customer recreated under the same id is a different one.
      (seen) => seen === null || seen.deletion === null,
    );
  } finally {
    progress.stop();
  }
}

const describe = ({ accountCount, devices, users, listeners, triggers }: Customer): string =>
  `${accountCount} accounts, ${devices} devices, ${listeners} listeners, ${triggers} triggers and the access of ${users} users`;

async function remove(
  ecpdId: string,
  options: YesOption & { readonly wait: boolean },
  command: Command,
): Promise<void> {
  const invocation = invocationOf(command);
  const { api } = invocation;
  if (options.yes !== true) {
    const customer = await api.call(SHOW, { path: { ecpdId } });
    await confirm(invocation, `Delete customer ${ecpdId} with all its data: ${describe(customer)}?`, options);
  }
  const started = await api.call('DELETE /operator/v1/customers/{ecpdId}', { path: { ecpdId } });
  if (options.wait) await follow(invocation, ecpdId);
  const end = options.wait ? 'is deleted' : 'is being deleted';
  printOutcome(invocation, started, `Customer ${ecpdId} ${end}.`);
}

export function addCustomers(program: Command): void {
  const customers = program
    .command('customers')
    .description('Lists, shows and deletes customers, which fleet documents call profiles.');
  withListOptions(customers.command('list'))
    .description('Lists customers in order of their ids, with their numbers of accounts.')
    .addHelpText('after', '\nExample:\n  $ linekeeper customers list --all')
    .action((options: ListOptions, command: Command) =>
      printList(invocationOf(command), { route: LIST, columns: COLUMNS }, options),
    );
  customers
    .command('show')
    .description('Shows a customer with the counts of its objects.')
    .argument('<customer>', 'ecpdId of the customer')
    .addHelpText('after', '\nExample:\n  $ linekeeper customers show 9000001')
    .action(async (ecpdId: string, _: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, await invocation.api.call(SHOW, { path: { ecpdId } }));
    });
  customers
    .command('delete')
    .description('Deletes a customer with all its accounts and their data, and waits for the end.')
    .argument('<customer>', 'ecpdId of the customer')
    .option('--yes', 'do not ask')
    .option('--no-wait', 'only start the deletion')
    .addHelpText('after', '\nExample:\n  $ linekeeper customers delete 9000001 --yes')
    .action(remove);
}
