import type { Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { path } from '../operator-api.ts';
import { printFields, printOutcome } from '../print.ts';
import { type ListOptions, printList } from '../print-list.ts';
import type { Column } from '../table.ts';

interface Account {
  readonly accountName: string;
  readonly ecpdId: string;
  readonly organizationName: string | null;
  readonly timeZone: string;
  readonly billCycleDay: number;
  readonly createdAt: string;
}

const COLUMNS: readonly Column<Account>[] = [
  ['ACCOUNT', (account) => account.accountName],
  ['PROFILE', (account) => account.ecpdId],
  ['ORGANIZATION', (account) => account.organizationName],
  ['TIME ZONE', (account) => account.timeZone],
  ['BILL DAY', (account) => account.billCycleDay],
  ['CREATED', (account) => account.createdAt],
];

async function remove(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(
    `Delete account ${name} with all its devices and everything else that belongs to it?`,
    options,
  );
  const { body } = await invocation.api.call(path`/accounts/${name}`, { method: 'DELETE' });
  printOutcome(invocation, body, `Account ${name} is deleted.`);
}

async function erasePositions(name: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(`Erase all coordinates of the devices of account ${name}?`, options);
  const { body } = await invocation.api.call<{ erased: number }>(path`/accounts/${name}/positions`, {
    method: 'DELETE',
  });
  printOutcome(invocation, body, `Erased positions: ${body.erased}.`);
}

export function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description('Lists, shows and deletes accounts.');
  withListOptions(accounts.command('list'))
    .description('Lists accounts in order of their names.')
    .option('--profile <ecpdId>', 'only those of this profile')
    .addHelpText('after', '\nExample:\n  $ linekeeper accounts list --all')
    .action((options: ListOptions & { profile?: string }, command: Command) =>
      printList(
        invocationOf(command),
        { path: '/accounts', query: { ecpdId: options.profile }, columns: COLUMNS },
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
      printFields(invocation, (await invocation.api.call<Account>(path`/accounts/${name}`)).body);
    });
  accounts
    .command('delete')
    .description('Deletes an account with everything that belongs to it.')
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
