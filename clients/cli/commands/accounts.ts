import { Argument, type Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { month } from '../parse-value.ts';
import { printFields, printLines, printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/accounts';

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['ACCOUNT', (account) => account.accountName],
  ['ECPD', (account) => account.ecpdId],
  ['ORGANIZATION', (account) => account.organizationName],
  ['TIME ZONE', (account) => account.timeZone],
  ['BILL DAY', (account) => account.billCycleDay],
  ['CREATED', (account) => account.createdAt],
];

async function remove(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Delete account ${name} with all its devices and all other data?`, options);
  const path = { accountName: name };
  const answer = await invocation.api.call('DELETE /operator/v1/accounts/{accountName}', { path });
  printOutcome(invocation, answer, `Account ${name} is deleted.`);
}

async function erasePositions(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Erase all coordinates of the devices of account ${name}?`, options);
  const path = { accountName: name };
  const answer = await invocation.api.call('DELETE /operator/v1/accounts/{accountName}/positions', { path });
  printOutcome(invocation, answer, `Erased positions: ${answer.erased}.`);
}

async function showServices(name: string, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const path = { accountName: name };
  const services = await invocation.api.call('GET /operator/v1/accounts/{accountName}/services', { path });
  const lines = services.map(({ serviceName, skuName, used, allowed, since, open }) => {
    const state = open ? 'open' : 'used up';
    return `${serviceName}  ${skuName} since ${since}  ${used} of ${allowed} used this month, ${state}`;
  });
  printLines(invocation, services, lines);
}

type ServiceName = (typeof SERVICES)[number];
const SERVICES = ['Location', 'fota'] as const;

async function showStatement(
  name: string,
  serviceName: ServiceName,
  month: string,
  _: object,
  command: Command,
): Promise<void> {
  const invocation = invocationOf(command);
  const route = 'GET /operator/v1/accounts/{accountName}/statements/{serviceName}/{month}';
  const statement = await invocation.api.call(route, { path: { accountName: name, serviceName, month } });
  const { skuName, totalTransactionCount, transactionsAllowed, lines } = statement;
  printLines(invocation, statement, [
    `${serviceName} in ${month}, ${skuName}: ${totalTransactionCount} of ${transactionsAllowed}`,
    ...lines.map(({ accountName, transactionsCount }) => `${accountName}  ${transactionsCount}`),
  ]);
}

export function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description('Lists, shows and deletes accounts.');
  withListOptions(accounts.command('list'))
    .description('Lists accounts in order of their names.')
    .option('--ecpd <id>', 'only those of this customer profile')
    .addHelpText('after', '\nExample:\n  $ linekeeper accounts list --all')
    .action((options: ListOptions & { ecpd?: string }, command: Command) =>
      printList(
        invocationOf(command),
        { route: LIST, query: { ecpdId: options.ecpd }, columns: COLUMNS },
        options,
      ),
    );
  accounts
    .command('show')
    .description('Shows one account.')
    .argument('<account>', 'name of the account')
    .addHelpText('after', '\nExample:\n  $ linekeeper accounts show 0000123456-00001')
    .action(async (name: string, _: object, command: Command) => {
      const invocation = invocationOf(command);
      const path = { accountName: name };
      printFields(invocation, await invocation.api.call('GET /operator/v1/accounts/{accountName}', { path }));
    });
  accounts
    .command('services')
    .description('Shows the subscriptions of an account and their use this month.')
    .argument('<account>', 'name of the account')
    .addHelpText('after', '\nExample:\n  $ linekeeper accounts services 0000123456-00001')
    .action(showServices);
  accounts
    .command('statement')
    .description('Shows the statement of an account for a month, with the accounts it pays for.')
    .argument('<account>', 'name of the account')
    .addArgument(new Argument('<service>', 'the service').choices(SERVICES))
    .argument('<month>', 'for example 2026-01', month)
    .addHelpText('after', '\nExample:\n  $ linekeeper accounts statement 0000123456-00001 Location 2026-01')
    .action(showStatement);
  accounts
    .command('delete')
    .description('Deletes an account with all its data.')
    .argument('<account>', 'name of the account')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper accounts delete 0000123456-00001 --yes')
    .action(remove);
  accounts
    .command('erase-positions')
    .description('Erases all coordinates of the devices of an account; the devices stay.')
    .argument('<account>', 'name of the account')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper accounts erase-positions 0000123456-00001 --yes')
    .action(erasePositions);
}
