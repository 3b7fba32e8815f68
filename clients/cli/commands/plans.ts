import type { Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { numberWithin } from '../parse-value.ts';
import { printOutcome } from '../print.ts';
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

async function removePlan(code: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Delete the plan ${code}?`, options);
  const answer = await invocation.api.call('DELETE /operator/v1/plans/{code}', { path: { code } });
  printOutcome(invocation, answer, `Plan ${code} is deleted.`);
}

async function removeGroup(
  ecpdId: string,
  ratePlanGroupId: number,
  options: YesOption,
  command: Command,
): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Delete rate plan group ${ratePlanGroupId} of customer ${ecpdId}?`, options);
  const route = 'DELETE /operator/v1/rate-plan-groups/{ecpdId}/{ratePlanGroupId}';
  const answer = await invocation.api.call(route, { path: { ecpdId, ratePlanGroupId } });
  printOutcome(invocation, answer, `Rate plan group ${ratePlanGroupId} is deleted.`);
}

export function addPlans(program: Command): void {
  const plans = program.command('plans').description('Lists and deletes plans and groups of share plans.');
  withListOptions(plans.command('list'))
    .description('Lists the plan catalogue by code; you change it with an import.')
    .addHelpText('after', '\nExample:\n  $ linekeeper plans list')
    .action((options: ListOptions, command: Command) =>
      printList(invocationOf(command), { route: PLANS, columns: PLAN_COLUMNS }, options),
    );
  withListOptions(plans.command('groups'))
    .description('Lists rate plan groups, whose share plans form one pool.')
    .option('--profile <ecpdId>', 'only those of this profile')
    .addHelpText('after', '\nExample:\n  $ linekeeper plans groups --profile 9000001')
    .action((options: ListOptions & { readonly profile?: string }, command: Command) =>
      printList(
        invocationOf(command),
        { route: GROUPS, query: { ecpdId: options.profile }, columns: GROUP_COLUMNS },
        options,
      ),
    );
  plans
    .command('delete')
    .description('Deletes a plan, unless a line, rate plan group, trigger or bill needs it.')
    .argument('<code>', 'code of the plan')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper plans delete IOT-5MB --yes')
    .action(removePlan);
  plans
    .command('delete-group')
    .description('Deletes a rate plan group, unless a line draws from it or a trigger watches it.')
    .argument('<customer>', 'ecpdId of the customer')
    .argument('<group>', 'number of the group', numberWithin(1, Number.MAX_SAFE_INTEGER, 101))
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper plans delete-group 9000001 101 --yes')
    .action(removeGroup);
}
