import { type Command, Option } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

type Notification = Row<'GET /operator/v1/mail' | 'GET /operator/v1/sms'>;

/** The common state, or counts: `sent`, or `2 sent, 1 failed`. */
function stateOf({ recipients }: Notification): string {
  const counts = [...Map.groupBy(recipients, ({ state }) => state)];
  return counts.length === 1
    ? counts[0]![0]
    : counts.map(([state, of]) => `${of.length} ${state}`).join(', ');
}

const reasonOf = ({ recipients }: Notification): string | null =>
  recipients.find(({ reason }) => reason !== null)?.reason ?? null;

const columns = (title: string, read: (entry: Notification) => unknown): readonly Column<Notification>[] => [
  ['AT', (entry) => entry.at],
  ['ACCOUNT', (entry) => entry.accountName],
  ['TO', (entry) => entry.to],
  ['STATE', stateOf],
  [title, read],
  ['TRIGGER', (entry) => entry.triggerId],
  ['REASON', reasonOf],
];

interface Options extends ListOptions {
  readonly account?: string;
  readonly trigger?: string;
  readonly state?: Notification['state'];
}

const STATES = ['waiting', 'failed', 'captured', 'sent'];

const LISTS = [
  ['mail', 'mail', columns('SUBJECT', (entry) => entry.subject)],
  ['sms', 'SMS', columns('TEXT', (entry) => entry.text)],
] as const;

export function addNotifications(program: Command): void {
  for (const [name, words, columns] of LISTS) {
    withListOptions(program.command(name))
      .description(
        `Lists ${words} with the state of its delivery, newest first; --json shows each recipient.`,
      )
      .option('--account <name>', 'only messages about this account')
      .option('--trigger <id>', 'only messages of this trigger')
      .addOption(new Option('--state <state>', 'only messages in this state').choices(STATES))
      .addHelpText('after', `\nExample:\n  $ linekeeper ${name} --account 0000123456-00001 --limit 20`)
      .action(({ account, trigger, state, ...options }: Options, command: Command) =>
        printList(
          invocationOf(command),
          {
            route: `GET /operator/v1/${name}`,
            query: { accountName: account, triggerId: trigger, state },
            columns,
          },
          options,
        ),
      );
  }
}
