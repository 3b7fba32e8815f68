import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { printOutcome } from '../print.ts';
import { type ListOptions, printList } from '../print-list.ts';
import type { Column } from '../table.ts';

interface Firing {
  readonly firedAt: string;
  readonly accountName: string;
  readonly triggerId: string;
  readonly subject: string;
  readonly level: number;
  readonly levelKind: string;
  readonly before: number;
  readonly after: number;
  readonly threshold: number;
  readonly late: boolean;
  readonly usageRecordId: string | null;
  readonly firingId: string;
  readonly actions: readonly { readonly kind: string; readonly state: string }[];
}

const COLUMNS: readonly Column<Firing>[] = [
  ['AT', (firing) => firing.firedAt],
  ['ACCOUNT', (firing) => firing.accountName],
  ['TRIGGER', (firing) => firing.triggerId],
  ['SUBJECT', (firing) => firing.subject],
  ['LEVEL', (firing) => `${firing.level} ${firing.levelKind}`],
  ['COUNTER', (firing) => `${firing.before} to ${firing.after}`],
  ['THRESHOLD', (firing) => firing.threshold],
  ['LATE', (firing) => firing.late],
  ['RECORD', (firing) => firing.usageRecordId],
  ['ACTIONS', ({ actions }) => actions.map(({ kind, state }) => `${kind} ${state}`).join(', ')],
  ['ID', (firing) => firing.firingId],
];

interface Options extends ListOptions {
  readonly account?: string;
  readonly trigger?: string;
}

const VERBS = [
  ['approve', 'Lets a firing touch more devices than it may by itself.'],
  ['reject', 'Drops what a firing waits with.'],
] as const;

export function addFirings(program: Command): void {
  const firings = program.command('firings');
  withListOptions(firings)
    .description('Lists when triggers fired and why, newest first; --json shows cycles and versions too.')
    .option('--account <name>', 'only what concerns this account')
    .option('--trigger <id>', 'only of this trigger')
    .addHelpText('after', '\nExample:\n  $ linekeeper firings --account 0000123456-00001')
    .action(({ account, trigger, ...options }: Options, command: Command) =>
      printList(
        invocationOf(command),
        { path: '/firings', query: { accountName: account, triggerId: trigger }, columns: COLUMNS },
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
        const path = `/firings/${encodeURIComponent(id)}/${verb}`;
        const { body } = await invocation.api.call<Pick<Firing, 'actions'>>(path, { method: 'POST' });
        const states = body.actions.map(({ kind, state }) => `${kind} ${state}`).join(', ');
        printOutcome(invocation, body, `What the firing does: ${states}.`);
      });
  }
}
