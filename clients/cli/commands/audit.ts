import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const LIST = 'GET /operator/v1/audit';

/** A fault rule of the sandbox affected the call. */
const isInjected = (after: unknown): boolean =>
  typeof after === 'object' && after !== null && 'injected' in after;

const COLUMNS: readonly Column<Row<typeof LIST>>[] = [
  ['AT', (entry) => entry.at],
  ['ACTOR', (entry) => `${entry.actorKind} ${entry.actor}`],
  ['ACTION', (entry) => entry.action],
  ['TARGET', (entry) => entry.target],
  ['ACCOUNT', (entry) => entry.accountName],
  ['STATUS', ({ status, after }) => (isInjected(after) ? `${status ?? ''} injected`.trim() : status)],
];

interface AuditOptions extends ListOptions {
  readonly account?: string;
  readonly actor?: string;
  readonly action?: string;
}

export function addAudit(program: Command): void {
  withListOptions(program.command('audit'))
    .description('Lists the audit log, newest first.')
    .option('--account <name>', 'only entries about this account')
    .option('--actor <name>', 'only entries of this key or user')
    .option('--action <name>', 'only this action, for example operatorImport')
    .addHelpText('after', '\nExample:\n  $ linekeeper audit --action operatorDeleteAccount --limit 20')
    .action(({ account, actor, action, ...options }: AuditOptions, command: Command) =>
      printList(
        invocationOf(command),
        { route: LIST, query: { accountName: account, actor, action }, columns: COLUMNS },
        options,
      ),
    );
}
