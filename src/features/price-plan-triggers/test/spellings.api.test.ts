import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { A, GROUP, makeScene, OURS, PATH, payAsYouGo, pool, TRIGGER } from './scene.ts';

const { world, as, create, created, update, read, versions, listed } = await makeScene();

const LEAST = { notificationType: 'PerEvent', callback: true };
const reminding = (more: object) => ({
  ...LEAST,
  reminder: true,
  notificationFrequencyInterval: 'Daily',
  ...more,
});
const condition = (more: object) =>
  payAsYouGo([A], { condition: { comparator: 'gt', threshold: 5, ...more } });

describe('whole numbers of a price plan trigger', () => {
  const sharing = (criteriaPercentage: unknown, ratePlanGroupId: unknown) => ({
    accountGroupShare: {
      accountGroupShareIndividual: {
        filterCriteria: { ratePlanGroupId },
        condition: { action: 'changePricePlan' },
        action: {
          changePlan: {
            sharePlan: [{ fromCarrierCode: 'CARRIER-S', toCarrierCode: 'CARRIER-L', criteriaPercentage }],
          },
        },
      },
    },
  });
  const ageing = (onNumberOfBillCycle: unknown) =>
    payAsYouGo([A], {
      condition: { conditionType: 'Aging' },
      action: { agingDetails: { onNumberOfBillCycle } },
    });

  // proves requests/numbers-as-text
  for (const [what, asText, asNumbers] of [
    ['threshold', condition({ threshold: '5' }), condition({ threshold: 5 })],
    ['onNumberOfBillCycle', ageing('3'), ageing(3)],
    ['ratePlanGroupId and criteriaPercentage', sharing('080', '007'), sharing(80, GROUP)],
  ] as const)
    it(`200: may be text of digits, and read back as numbers: ${what}`, async () => {
      const [text, numbers] = [
        await created({ pricePlanTrigger: asText }),
        await created({ pricePlanTrigger: asNumbers }),
      ];
      assert.deepEqual((await read(text)).pricePlanTrigger, (await read(numbers)).pricePlanTrigger);
    });

  it('200: may be text of digits in a notification: notificationFrequencyFactor', async () => {
    const id = await created({ notification: reminding({ notificationFrequencyFactor: '3' }) });
    assert.equal((await read(id)).notification.notificationFrequencyFactor, 3);
  });

  it('200: as the text id of a group are found by the accounts that share in it', async () => {
    const triggerName = 'a pool as text';
    await created({ triggerName, pricePlanTrigger: pool(`00${GROUP}` as never) });
    assert.ok((await listed(`/accounts/${A}`)).includes(triggerName));
  });

  for (const threshold of ['5.0', '-5', '1e3', '0x5', '5 MB', '9'.repeat(400), '٥'])
    it(`400: invalid_trigger, if they are not digits: ${threshold.slice(0, 20)}`, async () => {
      const answer = await create({ pricePlanTrigger: condition({ threshold }) });
      assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_trigger'], answer.body);
    });
});

describe('the notification group of a price plan trigger', () => {
  it('200: is found in either Unicode form of its name', async () => {
    const name = 'Köln';
    await world.import({ notificationGroups: [{ ecpdId: OURS, name, emails: ['k@example.com'] }] });
    for (const notificationGroupName of [name.normalize('NFC'), name.normalize('NFD')])
      await created({ notification: { ...LEAST, emailNotification: true, notificationGroupName } });
  });
});

describe('a returned price plan trigger', () => {
  // proves price-plan-triggers/reading-back
  for (const [what, sent, effective] of [
    ['what they are when they are absent', {}, ['Daily', 'MB']],
    ['what they are when they are blank', { cycleType: ' ', thresholdUnit: null }, ['Daily', 'MB']],
    ['the spelling of the interface', { cycleType: 'monthly', thresholdUnit: 'gb' }, ['Monthly', 'GB']],
  ] as const)
    it(`200: has its effective cycleType and thresholdUnit: ${what}`, async () => {
      const id = await created({ pricePlanTrigger: condition(sent) });
      for (const { pricePlanTrigger } of [await read(id), ...(await versions(id))]) {
        const { cycleType, thresholdUnit } = pricePlanTrigger.payAsYouGo.condition;
        assert.deepEqual([cycleType, thresholdUnit], effective);
      }
      assert.ok((await as.owner('GET', `${PATH}/accounts/${A}`)).body.includes('"cycleType"'));
    });

  it('200: has no cycleType and no thresholdUnit if its condition has none', async () => {
    const rule = payAsYouGo([A], { condition: { conditionType: 'UsageAllowance', percentage90: true } });
    const id = await created({ pricePlanTrigger: rule });
    assert.deepEqual((await read(id)).pricePlanTrigger, rule);
  });

  for (const [what, sent, expected] of [
    ['its own spelling alone', { notificationFrequencyFactor: 2 }, { notificationFrequencyFactor: 2 }],
    [
      'the other spelling with it where that was sent',
      { notificationFequencyFactor: '2' },
      { notificationFrequencyFactor: 2, notificationFequencyFactor: 2 },
    ],
    [
      'the number that holds under both where both were sent',
      { notificationFrequencyFactor: 3, notificationFequencyFactor: 2 },
      { notificationFrequencyFactor: 3, notificationFequencyFactor: 3 },
    ],
    [
      'neither where neither was sent',
      { reminder: false, notificationFrequencyInterval: undefined },
      { reminder: false },
    ],
  ] as const)
    it(`200: has notificationFrequencyFactor: ${what}`, async () => {
      const { notificationFrequencyInterval: _, ...notification } = (
        await read(await created({ notification: reminding(sent) }))
      ).notification;
      assert.deepEqual(notification, { ...LEAST, reminder: true, ...expected });
    });

  it('200: has them also if it was stored before', async () => {
    const id = await created();
    const { pricePlanTrigger } = TRIGGER;
    const body = { pricePlanTrigger, notification: { ...LEAST, notificationFequencyFactor: 4 } };
    await world.ctx.db.exec(sql`
      update price_plan_trigger set body = ${body}::jsonb where ecpd_id = ${OURS} and trigger_id = ${id}`);
    const trigger = await read(id);
    assert.equal(trigger.pricePlanTrigger.payAsYouGo.condition.cycleType, 'Daily');
    assert.equal(trigger.notification.notificationFrequencyFactor, 4);
  });

  it('200: may be sent back unchanged, which changes nothing', async () => {
    const id = await created({ notification: reminding({ notificationFequencyFactor: '2' }) });
    const { triggerName, pricePlanTrigger, notification, active } = await read(id);
    const sent = { triggerId: id, triggerName, pricePlanTrigger, notification, active };
    assert.equal((await update(sent)).statusCode, 200);
    assert.equal((await versions(id)).length, 1);
  });
});
