import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
const other = '0000123456-00002';
const foreign = '0000999999-00001';
await world.import({
  profiles: [{ ecpdId: '9000001' }, { ecpdId: '9000002' }],
  accounts: [
    { accountName, ecpdId: '9000001' },
    { accountName: other, ecpdId: '9000001' },
    { accountName: foreign, ecpdId: '9000002' },
  ],
  plans: [
    { code: 'P', carrierServicePlanCode: 'CARRIER-P' },
    { code: 'S', carrierServicePlanCode: 'CARRIER-S' },
  ],
  ratePlanGroups: [{ ratePlanGroupId: 1, ecpdId: '9000001', planCodes: ['S'], accounts: [accountName] }],
});

const refusals = async (...pricePlanTriggers: object[]) =>
  (await world.operator('POST', '/import', { pricePlanTriggers })).json().errors;
const readAll = async (query = '') =>
  (await world.operator('GET', `/export${query}`)).json().pricePlanTriggers;
const readVersion = async (triggerName: string) =>
  (
    await world.ctx.db.one<{ version: number }>(
      sql`select version from price_plan_trigger where trigger_name = ${triggerName}`,
    )
  ).version;
const payAsYouGo = (accountNameList: string[], carrierServicePlanCode = 'CARRIER-P') => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode, accountNameList },
    condition: { conditionType: 'Individual', comparator: 'gt', threshold: 5 },
    action: { suspend: false },
  },
});
/** Defaults are stored with a trigger and exported. */
const withDefaults = ({ pricePlanTrigger, ...others }: typeof trigger) => {
  const { payAsYouGo: rule } = pricePlanTrigger;
  const condition = { ...rule.condition, thresholdUnit: 'MB', cycleType: 'Daily' };
  return { ...others, pricePlanTrigger: { payAsYouGo: { ...rule, condition } } };
};
const trigger = {
  triggerName: 'over 5',
  ecpdId: '9000001',
  triggerCategory: 'PricePlanDataUsage',
  pricePlanTrigger: payAsYouGo([accountName]),
  notification: { notificationType: 'PerEvent', callback: true },
  active: true,
};

describe('price plan triggers of the fleet document', () => {
  it('get an id once, and a version only when they change', async () => {
    const { active: _, triggerCategory: __, ...short } = trigger;
    await world.import({ pricePlanTriggers: [short] });
    const before = await readAll();
    const [{ triggerId }] = before;
    assert.deepEqual(before, [{ ...withDefaults(trigger), triggerId }]);
    await world.import({ pricePlanTriggers: [trigger] });
    await world.import({ pricePlanTriggers: before });
    assert.equal(await readVersion('over 5'), 1);
    await world.import({ pricePlanTriggers: [{ triggerId, ecpdId: '9000001', active: 'false' }] });
    assert.equal(await readVersion('over 5'), 2);
    assert.deepEqual(await readAll(), [{ ...withDefaults(trigger), triggerId, active: false }]);
  });

  it('are exported with an account if they concern no other', async () => {
    const share = {
      accountGroupShare: {
        accountGroupSharePool: {
          filterCriteria: { ratePlanGroupId: 1 },
          condition: { action: 'notify' },
          action: { notify: { threshold: [{ percentage: { percentage90: true } }] } },
        },
      },
    };
    await world.import({
      pricePlanTriggers: [
        { ...trigger, triggerName: 'both', pricePlanTrigger: payAsYouGo([accountName, other]) },
        { ...trigger, triggerName: 'share', pricePlanTrigger: share },
      ],
    });
    assert.equal((await readAll()).length, 3);
    const own = await readAll(`?accountName=${accountName}`);
    assert.deepEqual(
      own.map(({ triggerName }: { triggerName: string }) => triggerName),
      ['over 5'],
    );
  });

  it('are refused with no kind or two, accounts of another profile, an unknown plan, or twice', async () => {
    const both = { ...payAsYouGo([accountName]), accountGroupShare: {} };
    for (const [pricePlanTrigger, path] of [
      [{}, ''],
      [both, ''],
      [payAsYouGo([accountName, foreign]), '/payAsYouGo/filterCriteria/accountNameList'],
      [payAsYouGo([accountName], 'NONE'), '/payAsYouGo/filterCriteria/carrierServicePlanCode'],
    ] as const) {
      const found = await refusals({ ...trigger, pricePlanTrigger });
      assert.equal(found[0].pointer, `/pricePlanTriggers/0/pricePlanTrigger${path}`);
    }
    assert.equal((await refusals(trigger, trigger))[0].pointer, '/pricePlanTriggers/1/triggerName');
    assert.equal(
      (await refusals({ ...trigger, triggerCategory: 'Other' }))[0].pointer,
      '/pricePlanTriggers/0/triggerCategory',
    );
    assert.deepEqual(
      await refusals({ ecpdId: '9000001', triggerName: 'new', pricePlanTrigger: payAsYouGo([accountName]) }),
      [{ pointer: '/pricePlanTriggers/0/notification', detail: 'is needed for a new trigger' }],
    );
  });

  // proves data/trigger-names
  it('need the id if several have the name', async () => {
    const triggerId = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
    await world.import({ pricePlanTriggers: [{ ...trigger, triggerId }] });
    assert.equal((await refusals(trigger))[0].pointer, '/pricePlanTriggers/0/triggerId');
    await world.import({ pricePlanTriggers: [{ ...trigger, triggerId: triggerId.toUpperCase() }] });
    assert.equal((await readAll()).length, 4);
  });

  it('are refused if they cannot be parsed, with a pointer to each problem', async () => {
    const wrong = payAsYouGo([accountName]);
    const pricePlanTrigger = {
      payAsYouGo: {
        ...wrong.payAsYouGo,
        filterCriteria: { accountNameList: [accountName, 'x'] },
        condition: { comparator: 'gt' },
      },
    };
    const found = await refusals({
      ...trigger,
      pricePlanTrigger,
      notification: { notificationType: 'PerEvent' },
    });
    assert.deepEqual(
      found.map(({ pointer }: { pointer: string }) => pointer.replace('/pricePlanTriggers/0', '')),
      [
        '/pricePlanTrigger/payAsYouGo/filterCriteria/carrierServicePlanCode',
        '/pricePlanTrigger/payAsYouGo/filterCriteria/accountNameList/1',
        '/pricePlanTrigger/payAsYouGo/condition/threshold',
        '/notification/callback',
      ],
    );
  });

  it('are refused with plans and groups that do not exist, also when only a part is given', async () => {
    const move = (ratePlanGroupId: number, toCarrierCode: string) => ({
      accountGroupShare: {
        accountGroupShareIndividual: {
          filterCriteria: { ratePlanGroupId },
          condition: { action: 'changePricePlan' },
          action: {
            changePlan: {
              sharePlan: [{ fromCarrierCode: 'CARRIER-S', toCarrierCode, criteriaPercentage: 90 }],
            },
          },
        },
      },
    });
    const share = '/pricePlanTrigger/accountGroupShare/accountGroupShareIndividual';
    const ok = payAsYouGo([accountName]).payAsYouGo;
    const action = { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'NONE' } };
    const entry = { triggerName: 'share', ecpdId: '9000001' };
    assert.deepEqual(
      await refusals(
        { ...entry, pricePlanTrigger: move(2, 'CARRIER-P') },
        { ...trigger, triggerName: 'new 1', pricePlanTrigger: move(1, 'CARRIER-P') },
        { ...trigger, triggerName: 'new 2', pricePlanTrigger: { payAsYouGo: { ...ok, action } } },
      ),
      [
        {
          pointer: `/pricePlanTriggers/0${share}/filterCriteria/ratePlanGroupId`,
          detail: 'names no rate plan group of this profile',
        },
        {
          pointer: `/pricePlanTriggers/1${share}/action/changePlan/sharePlan`,
          detail: 'names CARRIER-P, which is no plan of the rate plan group',
        },
        {
          pointer:
            '/pricePlanTriggers/2/pricePlanTrigger/payAsYouGo/action/changePlanDetails/toCarrierServicePlanCode',
          detail: 'names no plan',
        },
      ],
    );
  });

  // proves price-plan-triggers/unknown-groups
  it('are refused with an unknown notification group; one of the same document counts as known', async () => {
    const notification = {
      notificationType: 'PerEvent',
      callback: true,
      emailNotification: true,
      notificationGroupName: 'watch',
    };
    const notified = { ...trigger, triggerName: 'notified', notification };
    const problem = {
      pointer: '/pricePlanTriggers/0/notification/notificationGroupName',
      detail: 'names no notification group of this profile',
    };
    assert.deepEqual(await refusals(notified), [problem]);
    const notificationGroups = [{ ecpdId: '9000001', name: 'watch', emails: ['ops@example.com'] }];
    await world.import({ pricePlanTriggers: [notified], notificationGroups });
    const part = { triggerName: 'notified', ecpdId: '9000001', notification };
    const missing = { ...notification, notificationGroupName: 'gone' };
    assert.deepEqual(await refusals({ ...part, notification: missing }), [problem]);
  });

  it('are checked in any number', async () => {
    const many = Array.from({ length: 250 }, (_, i) => ({
      ...trigger,
      triggerName: `many ${i}`,
      pricePlanTrigger: payAsYouGo([accountName], i === 249 ? 'NONE' : 'CARRIER-P'),
    }));
    const [{ pointer }] = await refusals(...many);
    assert.match(pointer, /^\/pricePlanTriggers\/249\//);
    assert.equal((await world.import({ pricePlanTriggers: many.slice(0, 249) }))['pricePlanTriggers'], 249);
  });

  it('lose no change that a user makes during the import', async () => {
    const triggerId = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a002';
    await world.import({ pricePlanTriggers: [{ ...trigger, triggerId, triggerName: 'before' }] });
    const { db } = world.ctx;
    let importing: Promise<unknown> | undefined;
    await db.tx(async (tx) => {
      await tx.exec(
        sql`update price_plan_trigger set trigger_name = 'meanwhile' where trigger_id = ${triggerId}`,
      );
      importing = world.import({ pricePlanTriggers: [{ triggerId, ecpdId: '9000001', active: false }] });
      await untilWaiting(db, { unless: importing });
    });
    await importing;
    const { triggerName, active } = (await readAll()).find(
      (t: { triggerId: string }) => t.triggerId === triggerId,
    );
    assert.deepEqual([triggerName, active], ['meanwhile', false]);
  });
});
