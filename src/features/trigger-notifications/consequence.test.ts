import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageOf } from './alert.ts';
import { consequence } from './consequence.ts';
import { noticesOf } from './notice.ts';
import type { NotifiedFiring } from './notified-firing.ts';
import {
  A,
  B,
  FACTS,
  firingOf,
  individual,
  KB,
  movingPool,
  payAsYouGo,
  suspendDetails,
} from './test/notified-firings.ts';

describe('the stated consequence', () => {
  const crossed = { levelKind: 'bytes', level: 4 * KB, after: 5 * KB } as const;
  const suspends = payAsYouGo(individual, { suspend: true, suspendDetails });
  const accountLevel = payAsYouGo(
    { ...individual, conditionType: 'AccountLevel', separateOrCombined: 'Separate' },
    { suspend: true, suspendDetails: { ...suspendDetails, threshold: 8, thresholdUnit: 'KB' } },
  );
  const changes = payAsYouGo(individual, {
    changePlan: true,
    changePlanDetails: { toCarrierServicePlanCode: 'C-Q' },
  });
  const allowance = payAsYouGo(
    { conditionType: 'UsageAllowance', percentage50: true, percentage90: true },
    { suspend: true, suspendDetails: { ...suspendDetails, suspendFromAccounts: [A, B] } },
  );
  const aging = payAsYouGo(
    { conditionType: 'Aging' },
    { suspend: true, suspendDetails, agingDetails: { onNumberOfBillCycle: 3 } },
  );
  const pool = { levelKind: 'percent', level: 100, threshold: 100, subject: 'group 7' } as const;
  const below = { ...pool, levelKind: 'poolBelow', after: 60 } as const;
  const cases: readonly (readonly [string, NotifiedFiring, RegExp])[] = [
    ['nothing, if it only notifies', firingOf(payAsYouGo(individual), crossed), /^Nothing else/],
    [
      'the suspension of the line',
      firingOf(suspends, crossed),
      /^The line will be suspended until the next bill cycle, without billing\.$/,
    ],
    [
      'nothing, for a line of an account that is not to be suspended',
      firingOf(suspends, { ...crossed, accountName: B }),
      /^Nothing else/,
    ],
    [
      'nothing yet, below the level at which an account is suspended',
      firingOf(accountLevel, { ...crossed, subject: A }),
      /^Nothing is suspended before more than 8 KB are used\.$/,
    ],
    [
      'the suspension of the lines of an account',
      firingOf(accountLevel, { levelKind: 'suspendBytes', level: 8 * KB, after: 9 * KB, subject: A }),
      /^The lines on the plan of account 0000123456-00001 will be suspended /,
    ],
    [
      'the plan to which a line is moved',
      firingOf(changes, crossed),
      /^The line will be moved to plan Large\.$/,
    ],
    [
      'nothing yet, below the highest percentage of an allowance',
      firingOf(allowance, { levelKind: 'percent', level: 50, threshold: 50, after: 60, subject: A }),
      /^Nothing is suspended before 90 % of the allowance are used\.$/,
    ],
    [
      'the suspension of the lines of the account that reached the highest',
      firingOf(allowance, { levelKind: 'percent', level: 90, threshold: 90, after: 91, subject: A }),
      /^The lines on the plan of account 0000123456-00001 will be suspended /,
    ],
    [
      'nothing, for an account that is not to be suspended',
      firingOf(accountLevel, {
        levelKind: 'suspendBytes',
        level: 8 * KB,
        after: 9 * KB,
        subject: B,
        accountName: B,
      }),
      /^Nothing else/,
    ],
    [
      'the suspension of a line that has reached the age',
      firingOf(aging, { levelKind: 'billCycles', level: 3, after: 3 }),
      /^The line will be suspended /,
    ],
    ['moves upward', firingOf(movingPool, { ...pool, after: 101 }), /to larger plans until .* 10 % more /],
    ['moves downward', firingOf(movingPool, below), /to smaller plans until .* 20 % more /],
    ['nothing, for late usage', firingOf(suspends, { ...crossed, late: true }), /you are only notified\.$/],
  ];
  for (const [what, firing, text] of cases)
    it(`is ${what}`, () => assert.match(consequence(firing, FACTS), text));

  it('is none while actions are paused, which is stated only if there were one', () => {
    const paused = { ...FACTS, paused: true };
    assert.match(consequence(firingOf(suspends, crossed), paused), /^Actions are paused/);
    assert.match(consequence(firingOf(payAsYouGo(individual), crossed), paused), /^Nothing else/);
  });

  it('is stated after the usage of a pool', () =>
    assert.match(
      messageOf(firingOf(movingPool, below), FACTS),
      /group 7: 60 % \(60 of 100 bytes\), threshold less than 100 % of the allowance; /,
    ));

  it('is not repeated in a reminder', () => {
    const firing = firingOf(suspends, crossed);
    assert.match(messageOf(firing, FACTS), /will be suspended/);
    assert.doesNotMatch(messageOf(firing, FACTS, 'Reminder 1 of 2'), /will be suspended/);
    const notice = { trigger: firing.trigger, firings: [firing], unlisted: 0, dedupeKey: 'k' };
    const [mail] = noticesOf({ ...notice, occasion: 'Reminder 1 of 2' }, FACTS);
    assert.doesNotMatch(mail!.text, /will be suspended/);
    assert.match(mail!.subject!, /^\[Critical\] Reminder 1 of 2: watch: line 990000000000011 /);
  });
});
