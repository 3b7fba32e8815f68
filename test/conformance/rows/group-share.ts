import { row, type Section, testsIn } from '../row.ts';

const FEATURE = 'src/features/price-plan-triggers';
const create = testsIn(`${FEATURE}/test/create.api.test.ts`);
const share = testsIn(`${FEATURE}/parsing/parse-group-share.test.ts`);
const suspend = testsIn(`src/features/trigger-actions/test/suspend.test.ts`);
const move = testsIn(`src/features/trigger-actions/test/change-plan.test.ts`);
const tell = testsIn(`src/features/trigger-notifications/test/notify-firings.test.ts`);

export const groupShare: Section = {
  number: '2.2.2',
  title: 'Account group share',
  rows: [
    row(
      'accountGroupShareIndividual, notify',
      'percentages of each plan of the group',
      share(
        'notifies at the percentages of each plan',
        'is refused of an unknown alert type',
        'is refused with a threshold without plan',
      ),
    ),
    row(
      'accountGroupShareIndividual, suspend',
      'duration, billing and a percentage of each plan',
      share(
        'suspends at a percentage of each plan',
        'is refused that suspends for an unknown time',
        'is refused that suspends and does not say who pays',
      ),
      suspend('of a group share suspends each line at the percentage of its own plan, and no other'),
    ),
    row(
      'accountGroupShareIndividual, change plan',
      'moves from plan to plan at a percentage, from the start of the cycle with BackDate',
      share('changes plans, at once unless it says otherwise', 'changes plans from the start of the cycle'),
      move('of lines in a group moves each as its own plan says, from the beginning of the cycle'),
    ),
    row(
      'accountGroupSharePool, notify',
      'percentages of the pool',
      share('notifies at percentages, each once, lowest first'),
      tell('of a pool is told to each of its accounts that listens, with the allowance of the pool'),
    ),
    row(
      'accountGroupSharePool, change plan',
      'customerAutomation, moves up and down with a buffer',
      share(
        'changes plans in both directions',
        'is refused of another automation',
        'is refused without a buffer',
      ),
      move(
        'of a pool moves the lines with the largest overage until the buffer is there, in all accounts',
        'of a pool that was not used up moves lines to smaller plans, and the summary of the day says so too',
      ),
    ),
    row(
      'condition.action',
      'notify, suspend or changePricePlan',
      share(
        'notifies at the percentages of each plan',
        'suspends at a percentage of each plan',
        'changes plans, at once unless it says otherwise',
        'is refused without an action in its condition',
        'is refused with an unknown action',
      ),
    ),
    row(
      'access',
      'to all accounts of the profile',
      create(
        '401: <name>',
        '200: takes the kinds of group share from whoever may use all accounts of the profile',
      ),
    ),
  ],
};
