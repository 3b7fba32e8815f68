import type { Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/users';

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['USER', (user) => user.username],
  ['ACCOUNTS', (user) => user.accounts],
  ['CREATED', (user) => user.createdAt],
  ['DISABLED', (user) => user.disabledAt],
  ['LOCKED UNTIL', (user) => user.lockedUntil],
  ['IN THE CONSOLE', (user) => user.consoleLockedUntil],
];

const SWITCHES = [
  ['unlock', 'Ends the lock that failed logins put on a user.', 'unlocked'],
  ['disable', 'Disables a user and ends its sessions, until you enable it again.', 'disabled'],
  ['enable', 'Enables a disabled user.', 'enabled'],
] as const;

async function resetPassword(username: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Give user ${username} a new password and end its sessions?`, options);
  const path = { username };
  const answer = await invocation.api.call('POST /operator/v1/users/{username}/password', { path });
  printOutcome(invocation, answer, `New password of ${username}, shown only now: ${answer.newPassword}`);
}

export function addUsers(program: Command): void {
  const users = program
    .command('users')
    .description('Lists, unlocks, disables and enables web-services users.');
  withListOptions(users.command('list'))
    .description('Lists users with their accounts; the first is the home account.')
    .option('--account <name>', 'only users of this account')
    .addHelpText('after', '\nExample:\n  $ linekeeper users list --account 0000123456-00001')
    .action((options: ListOptions & { account?: string }, command: Command) =>
      printList(
        invocationOf(command),
        { route: LIST, query: { accountName: options.account }, columns: COLUMNS },
        options,
      ),
    );
  for (const [verb, description, done] of SWITCHES) {
    users
      .command(verb)
      .description(description)
      .argument('<username>', 'name of the user')
      .addHelpText('after', `\nExample:\n  $ linekeeper users ${verb} ws-user`)
      .action(async (username: string, _: object, command: Command) => {
        const invocation = invocationOf(command);
        const path = { username };
        const answer = await invocation.api.call(`POST /operator/v1/users/{username}/${verb}`, { path });
        printOutcome(invocation, answer, `User ${username} is ${done}.`);
      });
  }
  users
    .command('reset-password')
    .description('Gives a user a new password and shows it once; its sessions end.')
    .argument('<username>', 'name of the user')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper users reset-password ws-user --yes')
    .action(resetPassword);
}
