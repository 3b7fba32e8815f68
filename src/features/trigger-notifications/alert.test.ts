import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomesOf } from '../trigger-actions/outcomes.ts';
import { alertsOf } from './alert.ts';
import { isBelow, type NotifiedFiring } from './notified-firing.ts';
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
  valuesOf,
} from './test/notified-firings.ts';

// proves price-plan-triggers/values
describe('the value and threshold of an alert', () => {
  it('are in the unit of the trigger, on the counter’s side of the threshold', () => {
    const above = { levelKind: 'bytes', level: 4 * KB, after: 4 * KB + 1 } as const;
    assert.deepEqual(valuesOf(firingOf(payAsYouGo(individual), above)), [5, 'DAILY', 4, 'KB']);
    const below = { levelKind: 'bytes', level: 4 * KB, after: 4 * KB - 1 } as const;
    const lt = { ...individual, comparator: 'lt', cycleType: 'Weekly' };
    assert.deepEqual(valuesOf(firingOf(payAsYouGo(lt), below)), [3, 'WEEKLY', 4, 'KB']);
  });

  it('are in the unit of the suspension if that is the level', () => {
    const rule = payAsYouGo(
      { ...individual, conditionType: 'AccountLevel', separateOrCombined: 'Separate' },
      { suspend: true, suspendDetails: { ...suspendDetails, threshold: 2, thresholdUnit: 'MB' } },
    );
    const level = 2 * KB * KB;
    const firing = firingOf(rule, { levelKind: 'suspendBytes', level, after: level + 1, subject: A });
    assert.deepEqual(valuesOf(firing), [3, 'DAILY', 2, 'MB']);
  });

  it('are percentages of the allowance, or bill cycles, without a unit', () => {
    const allowance = payAsYouGo({ conditionType: 'UsageAllowance', percentage90: true });
    const percent = { levelKind: 'percent', level: 90, threshold: 900, after: 912, subject: A } as const;
    assert.deepEqual(valuesOf(firingOf(allowance, percent)), [91, 'MONTHLY', 90, undefined]);
    const aging = payAsYouGo({ conditionType: 'Aging' }, { agingDetails: { onNumberOfBillCycle: 3 } });
    const cycles = { levelKind: 'billCycles', level: 3, after: 3 } as const;
    assert.deepEqual(valuesOf(firingOf(aging, cycles)), [3, undefined, 3, undefined]);
  });
});

describe('the alert of a pool', () => {
  const level = {
    levelKind: 'percent',
    level: 100,
    threshold: 1_000,
    after: 1_040,
    subject: 'group 7',
  } as const;

  it('names each account with a listener, and has no action before lines are moved', () => {
    const callbacks = alertsOf(firingOf(movingPool, level), FACTS);
    assert.deepEqual(
      callbacks.map(({ accountName }) => accountName),
      [B],
    );
    assert.ok(!JSON.stringify(callbacks[0]!.payload).includes('changePlan'));
  });

  const alertOf = (
    firing: NotifiedFiring,
    state: 'waiting' | 'awaitingApproval' | 'skipped',
    reason: string | null,
  ) => {
    const [fromPlan, toPlan] = isBelow(firing) ? ['Q', 'P'] : ['P', 'Q'];
    const pool = { bytes: 100, since: '2026-01-05T12:00:00.000Z' };
    const params = { planCodes: [fromPlan!], toPlan: toPlan!, effective: 'CurrentDate', pool } as const;
    const move = { kind: 'changePlan', firingId: firing.firingId, params, state, reason } as const;
    // In two accounts: moves between the same plans count together.
    const outcomes = outcomesOf([
      { ...move, deviceCount: 2 },
      { ...move, deviceCount: 3 },
    ]);
    const [callback] = alertsOf(firing, { ...FACTS, outcomes });
    const { alertServiceResponse } = (
      callback!.payload as {
        deviceResponse: {
          alertServiceResponse: { message: string; accountGroupShare: { action?: object } };
        };
      }
    ).deviceResponse;
    return alertServiceResponse;
  };

  // proves 6.3/group-share-fired
  it('has the moves with their change of the pool, in their direction', () => {
    const above = alertOf(firingOf(movingPool, level), 'waiting', null);
    assert.deepEqual(above.accountGroupShare, {
      servicePlanGroupId: 7,
      allowance: 1_000,
      action: {
        changePlan: {
          changePlanAutomation: 'customerAutomation',
          moreThan100Percentage: {
            effectiveDate: '2026-01-05T12:00:00.000Z',
            bufferReduced: 200,
            devicePerPricePlan: [
              {
                deviceCount: 5,
                fromCarrierServicePlanCode: 'C-P',
                fromServicePlanDescription: 'Small',
                toCarrierServicePlanCode: 'C-Q',
                toServicePlanDescription: 'Large',
              },
            ],
          },
        },
      },
    });
    const unused = { ...level, levelKind: 'poolBelow', after: 600 } as const;
    const below = alertOf(firingOf(movingPool, unused), 'waiting', null);
    assert.deepEqual(Object.keys((below.accountGroupShare.action as { changePlan: object }).changePlan), [
      'changePlanAutomation',
      'lessThan100Percentage',
    ]);
    assert.match(below.message, /60 % \(600 of 1000 bytes\), threshold less than 100 % of the allowance/);
  });

  it('has no action while moves wait for approval or cannot be made, and says so instead', () => {
    const waiting = alertOf(
      firingOf(movingPool, level),
      'awaitingApproval',
      'It would affect 5 devices, more than 4',
    );
    assert.equal(waiting.accountGroupShare.action, undefined);
    assert.match(waiting.message, /It would affect 5 devices, more than 4: it waits for approval\.$/);
    const skipped = alertOf(firingOf(movingPool, level), 'skipped', 'There was no line to act on');
    assert.equal(skipped.accountGroupShare.action, undefined);
    assert.match(skipped.message, /There was no line to act on\.$/);
  });
});
