import { row, type Section, testsIn } from '../row.ts';
import { groupShare } from './group-share.ts';

const FEATURE = 'src/features/price-plan-triggers';
const create = testsIn(`${FEATURE}/test/create.api.test.ts`);
const change = testsIn(`${FEATURE}/test/change.api.test.ts`);
const rule = testsIn(`${FEATURE}/parsing/parse-rule.test.ts`);
const payg = testsIn(`${FEATURE}/parsing/parse-pay-as-you-go.test.ts`);
const suspend = testsIn(`src/features/trigger-actions/test/suspend.test.ts`);
const move = testsIn(`src/features/trigger-actions/test/change-plan.test.ts`);
const closing = testsIn(`src/features/trigger-evaluation/test/closing-conditions.test.ts`);
const day = testsIn(`src/features/trigger-evaluation/test/closing.test.ts`);
const batches = testsIn(`src/features/trigger-evaluation/test/evaluation.property.test.ts`);
const tell = testsIn(`src/features/trigger-notifications/test/notify-firings.test.ts`);

const KEPT = '200: answers the id, under which it is kept as it was sent, with what it left to the defaults';
const NOTHING_NAMED =
  '200: is active, of the only profile of the caller and of the only category when it does not say so';
const FIRES = batches(
  'fires what looking at one record after the other fires, whatever the order, repetitions, zones and edits',
);

const condition: Section = {
  number: '2.2.1 condition',
  title: 'When a pay-as-you-go trigger fires',
  rows: [
    row(
      'conditionType',
      'Individual, AccountLevel, UsageAllowance or Aging; blank is Individual',
      payg(
        'is Individual when its type is blank',
        'is refused of an unknown type',
        'of account level is separate unless it says otherwise',
        'on the allowance has the percentages that are true, lowest first',
        'by age counts bill cycles, which stand in the action',
      ),
    ),
    row(
      'comparator',
      'gt, lt or eq; needed for Individual and AccountLevel',
      payg(
        'is refused without comparator',
        'is refused without comparator, of account level',
        'is refused with an unknown comparator',
      ),
      FIRES,
      day('fires when the cycle has closed, also without any usage, and not while it is open'),
    ),
    row(
      'threshold',
      'an integer; needed for Individual and AccountLevel',
      payg(
        'is refused without threshold',
        'is refused without threshold, of account level',
        'is refused with a part of a unit',
      ),
      FIRES,
    ),
    row(
      'thresholdUnit',
      'KB, MB, GB or TB',
      payg(
        'counts 1,024 bytes as a KB',
        'is refused in an unknown unit',
        'is refused of account level that suspends at a threshold without unit',
      ),
    ),
    row(
      'cycleType',
      'Daily (also when absent), Weekly from Monday, Monthly by the bill cycle',
      payg('is Individual when it says so', 'may be weekly or monthly', 'is refused of an unknown cycle'),
      FIRES,
      testsIn('src/kernel/bill-cycle.test.ts')('of a week begins on Monday'),
    ),
    row(
      'separateOrCombined',
      'Separate or Combined, at account level only',
      payg('of account level may be combined', 'is refused that combines accounts at another level'),
      closing('fire each by itself, or together'),
    ),
    row(
      'percentage50 to percentage100',
      'fires at that percentage of the allowance',
      payg(
        'on the allowance has the percentages that are true, lowest first',
        'is refused with percentages at another level',
      ),
      tell('of several levels at once is a callback for each, lowest first, and one mail and SMS'),
    ),
  ],
};

const action: Section = {
  number: '2.2.1 action',
  title: 'What a pay-as-you-go trigger does',
  rows: [
    row(
      'suspend',
      'suspends; never together with changePlan',
      payg('suspends when it says so, as text too', 'is refused that suspends and changes the plan'),
      suspend('suspends the line that went beyond, tells of it, and lets it return after its days'),
    ),
    row(
      'suspendDetails',
      'accounts, duration 30, 60, 90 or NextBillCycle, with or without billing, and at account level a threshold with unit',
      payg(
        'is refused that suspends without details',
        'is refused that suspends for another time',
        'may suspend until the next bill cycle, without billing, in any letter case',
        'is refused of account level that suspends without a threshold',
        'is refused of account level that suspends at a threshold without unit',
        'is refused that suspends from an account it does not watch',
      ),
      suspend(
        'suspends until the next bill cycle of the account, where the account is',
        'bills as it says itself: what the plan says is for suspensions that say nothing',
        'of an account suspends its lines on the plan at the level of its own, and those of all where it is combined',
      ),
    ),
    row(
      'changePlan',
      'changes the plan',
      payg('changes the plan'),
      move('puts the line on the other plan, where it starts at zero'),
    ),
    row(
      'changePlanDetails',
      'toCarrierServicePlanCode; needed with changePlan and Individual',
      payg(
        'changes the plan',
        'is refused that changes the plan without details',
        'is refused that changes the plan to none',
      ),
      move('puts the line on the other plan, where it starts at zero'),
    ),
    row(
      'agingDetails',
      'onNumberOfBillCycle, and the new plan with changePlan; needed for Aging',
      payg(
        'by age counts bill cycles, which stand in the action',
        'is refused by age without details',
        'is refused by age that changes the plan to none',
        'changes the plan by age',
      ),
      closing('fires after so many whole bill cycles, once for its stay'),
    ),
  ],
};

export const pricePlanTriggers: readonly Section[] = [
  {
    number: '2.2',
    title: 'Price plan trigger',
    rows: [
      row(
        'triggerId',
        'a UUID; says which trigger is updated',
        create(KEPT),
        change('404: of another customer, on other accounts too, unknown, deleted, or no id at all'),
      ),
      row(
        'triggerName',
        "the user's own name for it",
        create(
          KEPT,
          '200: takes the same name again, and a slash at the end of the path',
          '400: invalid, without what a trigger must have, or of another category',
        ),
      ),
      row('ecpdId', 'the profile of the caller', create(NOTHING_NAMED, '401: <name>')),
      row(
        'triggerCategory',
        'always PricePlanDataUsage',
        create(NOTHING_NAMED, '400: invalid, without what a trigger must have, or of another category'),
      ),
      row(
        'pricePlanTrigger',
        'exactly one of payAsYouGo and accountGroupShare',
        create(KEPT, '200: takes the kinds of group share from whoever may use all accounts of the profile'),
        rule('is refused with no kind', 'is refused with two kinds'),
      ),
      row(
        'notification',
        'who is told and how',
        create(KEPT),
        tell(
          'is a mail and an SMS to the recipients and the members of the group, with the cycle where the account is',
          'says nothing by a way that is not asked for',
        ),
        create('400: invalid, without what a trigger must have, or of another category'),
      ),
      row(
        'active',
        'whether it is active',
        create(NOTHING_NAMED),
        testsIn(`src/features/trigger-evaluation/test/changed-triggers.test.ts`)(
          'that was switched off, deleted or turned around before the end fires nothing',
        ),
      ),
    ],
  },
  {
    number: '2.2.1',
    title: 'Pay as you go',
    rows: [
      row(
        'filterCriteria',
        'a plan and the accounts that use it',
        payg(
          'names a plan and accounts, each once',
          'is refused without plan',
          'is refused without accounts',
        ),
        rule('is refused without a filter'),
      ),
      row('condition', 'see below', FIRES, rule('is refused without a condition')),
      row(
        'action',
        'see below',
        rule('is refused without an action'),
        payg('is to notify when it says nothing else'),
      ),
    ],
  },
  condition,
  action,
  groupShare,
  {
    number: '4.2',
    title: 'Price plan triggers',
    rows: [
      row(
        'PUT /m2m/v2/triggers',
        'updates a trigger of either kind and answers its id',
        change(
          '200: changes what is sent and leaves the rest, with a new version',
          '200: replaces the rule and the notification whole, also with another kind',
        ),
      ),
    ],
  },
];
