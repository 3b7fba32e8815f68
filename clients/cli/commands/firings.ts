import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
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
];

interface Options extends ListOptions {
  readonly account?: string;
  readonly trigger?: string;
}

export function addFirings(program: Command): void {
  withListOptions(program.command('firings'))
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
}
