import type { Command } from 'commander';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';

const PLANS = 'GET /operator/v1/plans';
const GROUPS = 'GET /operator/v1/rate-plan-groups';

const PLAN_COLUMNS: readonly Column<Row<typeof PLANS>>[] = [
  ['CODE', (plan) => plan.code],
  ['NAME', (plan) => plan.name],
  ['KIND', (plan) => plan.kind],
  ['ALLOWANCE BYTES', (plan) => plan.allowanceBytes],
  ['RATE PER MB', (plan) => plan.ratePerMb],
];

const GROUP_COLUMNS: readonly Column<Row<typeof GROUPS>>[] = [
  ['GROUP', (group) => group.ratePlanGroupId],
  ['PROFILE', (group) => group.ecpdId],
  ['PLANS', (group) => group.planCodes],
  ['ACCOUNTS', (group) => group.accountCount],
];

export function addPlans(program: Command): void {
  const plans = program.command('plans').description('Lists plans and groups of share plans.');
  withListOptions(plans.command('list'))
    .description('Lists the plan catalogue by code; an import changes it.')
    .addHelpText('after', '\nExample:\n  $ linekeeper plans list')
    .action((options: ListOptions, command: Command) =>
      printList(invocationOf(command), { route: PLANS, columns: PLAN_COLUMNS }, options),
    );
  withListOptions(plans.command('groups'))
    .description('Lists rate plan groups: share plans that are one pool.')
    .option('--profile <ecpdId>', 'only those of this profile')
    .addHelpText('after', '\nExample:\n  $ linekeeper plans groups --profile 9000001')
    .action((options: ListOptions & { readonly profile?: string }, command: Command) =>
      printList(
        invocationOf(command),
        { route: GROUPS, query: { ecpdId: options.profile }, columns: GROUP_COLUMNS },
        options,
      ),
    );
}
