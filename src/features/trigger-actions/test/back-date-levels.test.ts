import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  backDating,
  MB,
  type MovedFiring,
  makeBackDateWorld,
  notifying,
  poolMoving,
} from './back-date-scene.ts';
import { outcomesOf, SUSPEND_30 } from './scene.ts';

/** The bill cycle begins on Thursday the 8th, in the week of the 5th. */
const nextScene = await makeBackDateWorld({ billCycleDay: 8, customers: 10 });
type Scene = ReturnType<typeof nextScene>;

/** More than this many megabytes on a plan. */
const over = (
  { a }: Scene,
  carrierServicePlanCode: string,
  threshold: number,
  { action = {}, ...condition }: { readonly action?: object; readonly [field: string]: unknown } = {},
) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode, accountNameList: [a] },
    condition: {
      conditionType: 'Individual',
      comparator: 'gt',
      threshold,
      thresholdUnit: 'MB',
      cycleType: 'Monthly',
      ...condition,
    },
    action,
  },
});
const ofAccount = { conditionType: 'AccountLevel', separateOrCombined: 'Separate' };
const upward = backDating(['C-1', 'C-3', 90]);

const seen = (firings: readonly MovedFiring[]) =>
  firings
    .map(({ cycle, before, after, cause, late }) => {
      const { from } = cycle as { readonly from: string };
      return [from.slice(5, 10), before / MB, after / MB, cause, late].join(' ');
    })
    .sort();

describe('levels of the plan to which usage is moved', () => {
  // proves price-plan-triggers/moved-usage
  it('count only usage since the start of the change, by day, week and month', async () => {
    const scene = nextScene();
    const daily = await scene.create(over(scene, 'C-3', 1, { cycleType: 'Daily' }));
    const weekly = await scene.create(over(scene, 'C-3', 1, { cycleType: 'Weekly' }));
    const monthly = await scene.create(over(scene, 'C-3', 1));
    const account = await scene.create(over(scene, 'C-3', 1, { ...ofAccount, cycleType: 'Weekly' }));
    await scene.create(upward);
    scene.at('2026-01-11T12:00:00Z');
    await scene.use(
      { mb: 4, at: '2026-01-06T12:00:00Z' },
      { mb: 5, at: '2026-01-08T12:00:00Z' },
      { mb: 4, at: '2026-01-11T11:00:00Z' },
    );
    assert.deepEqual(await scene.daysOf('line'), ['01-06 S1 4', '01-08 S3 5', '01-11 S3 4']);
    assert.deepEqual(seen(await scene.firingsOf(daily)), ['01-11 0 4 planChange false']);
    assert.deepEqual(seen(await scene.firingsOf(weekly)), ['01-05 0 9 planChange false']);
    assert.deepEqual(seen(await scene.firingsOf(monthly)), ['01-08 0 9 planChange false']);
    assert.deepEqual(seen(await scene.firingsOf(account)), ['01-05 0 9 planChange false']);
    assert.deepEqual(await scene.differences(), []);
  });

  // proves price-plan-triggers/moved-usage
  it('do not fire for a closed day until further usage arrives for it', async () => {
    const scene = nextScene();
    const daily = await scene.create(over(scene, 'C-3', 1, { cycleType: 'Daily' }));
    await scene.create(upward);
    await scene.use({ mb: 9, at: '2026-01-11T12:00:00Z' });
    assert.deepEqual(seen(await scene.firingsOf(daily)), []);
    await scene.use({ mb: 1, at: '2026-01-11T13:00:00Z' });
    assert.deepEqual(seen(await scene.firingsOf(daily)), ['01-11 9 10  true']);
  });

  it('are passed line by line, whatever other lines a request moves', async () => {
    const scene = nextScene();
    const account = await scene.create(over(scene, 'C-3', 20, ofAccount));
    await scene.create(upward);
    await scene.use({ mb: 9 }, { mb: 9, line: 1 }, { mb: 9, line: 2 });
    assert.deepEqual(seen(await scene.firingsOf(account)), ['01-08 18 27 planChange false']);
  });

  // proves price-plan-triggers/moved-usage
  it('suspend a moved line like any other', async () => {
    const scene = nextScene();
    const action = { suspend: true, suspendDetails: SUSPEND_30 };
    const id = await scene.create(over(scene, 'C-3', 5, { action }));
    await scene.create(upward);
    await scene.use({ mb: 9 });
    assert.deepEqual(outcomesOf(await scene.firingsOf(id)), [['done', undefined]]);
    assert.equal((await scene.deviceOf()).state, 'suspend');
  });

  // proves price-plan-triggers/moved-usage
  it('change no plan of a line that was moved in the same chain', async () => {
    const scene = nextScene();
    const id = await scene.create(backDating(['C-1', 'C-2', 90], ['C-2', 'C-1', 60]));
    const onward = await scene.create(
      over(scene, 'C-2', 1, {
        action: { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'C-3' } },
      }),
    );
    await scene.use({ mb: 9 });
    assert.deepEqual(await scene.plansOf(0), ['S2']);
    const again =
      'The plan of the line was already changed in this chain of actions, and is not changed again';
    assert.deepEqual(outcomesOf(await scene.firingsOf(id)).sort(), [
      ['done', undefined],
      ['skipped', again],
    ]);
    assert.deepEqual(outcomesOf(await scene.firingsOf(onward)), [['skipped', again]]);
    const alert = (await scene.alerts()).find(({ triggerId }) => triggerId === onward);
    assert.match(alert.payAsYouGo.message, /is not changed again\.$/);
    scene.world.pass(60_000);
    await scene.use({ mb: 1 });
    assert.deepEqual(await scene.plansOf(0), ['S2']);
  });

  // proves price-plan-triggers/moved-usage
  it('of a pool move other lines, and later actions of the chain move none of these again', async () => {
    const scene = nextScene();
    const id = await scene.create(poolMoving('changePlanGT', 'C-1', 'C-2', 0));
    await scene.create(backDating(['C-1', 'C-3', 90], ['C-2', 'C-1', 50]));
    scene.at('2026-01-09T12:00:00Z');
    await scene.change('X');
    await scene.use({ mb: 90 });
    scene.at('2026-01-10T12:00:00Z');
    await scene.change('S1');
    scene.at('2026-01-12T12:00:00Z');
    await scene.use({ mb: 9 }, { mb: 8, line: 1 });
    const [fired] = await scene.firingsOf(id);
    assert.deepEqual([fired?.cause, fired?.before, fired?.after], ['planChange', 17 * MB, 107 * MB]);
    assert.deepEqual(await scene.plansOf(0, 1, 2, 3, 900), ['S3', 'S2', 'S2', 'S2', 'S2']);
    assert.deepEqual(await scene.daysOf('line', 1), ['01-12 S2 8']);
    assert.deepEqual(await scene.differences(), []);
  });

  it('of plans that throttle are notified with the move', async () => {
    const scene = nextScene();
    await scene.world.import({
      plans: [
        {
          code: 'T',
          carrierServicePlanCode: 'C-T',
          kind: 'share',
          allowanceBytes: 10 * MB,
          throttleAtPercent: 80,
        },
      ],
      ratePlanGroups: [
        { ratePlanGroupId: 7, ecpdId: scene.ecpdId, planCodes: ['S1', 'T'], accounts: [scene.b, scene.a] },
      ],
      listeners: [
        {
          accountName: scene.a,
          serviceName: 'SubscriptionNotificationService',
          url: 'http://127.0.0.1:9999/listener',
        },
      ],
    });
    await scene.create(backDating(['C-1', 'C-T', 90]));
    scene.at('2026-01-09T12:00:00Z');
    await scene.change('X');
    await scene.use({ mb: 90 });
    scene.at('2026-01-10T12:00:00Z');
    await scene.change('S1');
    await scene.use({ mb: 9 });
    const notices = await scene.messages('SubscriptionNotificationService');
    assert.deepEqual(
      notices.map(({ servicePlan, percent }) => [servicePlan, percent]),
      [['T', 198]],
    );
  });
});

describe('a change of plan that begins when it is made', () => {
  // proves price-plan-triggers/without-backdate
  it('starts at zero, and earlier usage may fire triggers of the old plan, which do not affect the line', async () => {
    const scene = nextScene();
    const action = { suspend: true, suspendDetails: SUSPEND_30 };
    const old = await scene.create(over(scene, 'C-1', 5, { action }));
    const half = await scene.create(notifying('C-2', 50));
    await scene.use({ mb: 4 });
    await scene.change('S2');
    await scene.use({ mb: 3, at: '2026-01-12T11:00:00Z' });
    assert.deepEqual(await scene.daysOf('line'), ['01-12 S1 7']);
    assert.deepEqual(seen(await scene.firingsOf(old)), ['01-08 4 7  false']);
    assert.deepEqual(outcomesOf(await scene.firingsOf(old)), [
      ['skipped', 'The line was no longer active on the plan'],
    ]);
    assert.deepEqual(await scene.firingsOf(half), []);
    assert.equal((await scene.deviceOf()).state, 'active');
  });
});

describe('time on a plan', () => {
  // proves price-plan-triggers/backdate
  it('counts as whole the cycle in which a backdated change was made', async () => {
    const scene = nextScene();
    const id = await scene.create({
      payAsYouGo: {
        filterCriteria: { carrierServicePlanCode: 'C-3', accountNameList: [scene.a] },
        condition: { conditionType: 'Aging' },
        action: { agingDetails: { onNumberOfBillCycle: 1 } },
      },
    });
    await scene.create(upward);
    await scene.use({ mb: 9 });
    await scene.change('S3', 1);
    await scene.liveTo('2026-02-08T00:00:00Z');
    const { id: subject } = await scene.deviceOf();
    assert.deepEqual(
      (await scene.firingsOf(id)).map((fired) => [fired.subject, fired.after]),
      [[subject, 1]],
    );
  });
});
