import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/firings';

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['AT', (firing) => firing.firedAt],
  ['ACCOUNT', (firing) => firing.accountName],
  ['TRIGGER', (firing) => firing.triggerId],
  ['SUBJECT', (firing) => firing.subject],
  ['LEVEL', (firing) => `${firing.level} ${firing.levelKind}`],
  ['COUNTER', (firing) => `${firing.before} to ${firing.after}`],
  ['THRESHOLD', (firing) => firing.threshold],
  ['LATE', (firing) => firing.late],
  ['RECORD', (firing) => firing.usageRecordId ?? firing.cause],
  ['ACTIONS', ({ actions }) => actions.map(({ kind, state }) => `${kind} ${state}`).join(', ')],
  ['ID', (firing) => firing.firingId],
];

interface Options extends ListOptions {
  readonly account?: string;
  readonly trigger?: string;
}

const VERBS = [
  [
    'approve',
    'Approves a firing whose actions wait, because they affect more devices than allowed without approval.',
  ],
  ['reject', 'Rejects a firing and drops its waiting actions.'],
] as const;

export function addFirings(program: Command): void {
  const firings = program.command('firings');
  withListOptions(firings)
    .description(
      'Lists firings of triggers with their reasons, newest first; --json includes cycles and versions.',
    )
    .option('--account <name>', 'only firings of this account')
    .option('--trigger <id>', 'only firings of this trigger')
    .addHelpText('after', '\nExample:\n  $ linekeeper firings --account 0000123456-00001')
    .action(({ account, trigger, ...options }: Options, command: Command) =>
      printList(
        invocationOf(command),
        { route: LIST, query: { accountName: account, triggerId: trigger }, columns: COLUMNS },
        options,
      ),
    );

  for (const [verb, description] of VERBS) {
    firings
      .command(`${verb} <id>`)
      .description(description)
      .addHelpText('after', `\nExample:\n  $ linekeeper firings ${verb} 7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001`)
      .action(async (id: string, _: object, command: Command) => {
        const invocation = invocationOf(command);
        const path = { firingId: id };
        const answer = await invocation.api.call(`POST /operator/v1/firings/{firingId}/${verb}`, { path });
        const states = answer.actions.map(({ kind, state }) => `${kind} ${state}`).join(', ');
        printOutcome(invocation, answer, `Actions of the firing: ${states}.`);
      });
  }
}
