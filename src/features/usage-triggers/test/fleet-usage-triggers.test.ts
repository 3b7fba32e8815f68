import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
const other = '0000123456-00002';
await world.import({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [accountName, other].map((name) => ({ accountName: name, ecpdId: '9000001' })),
});

const refusals = async (...usageTriggers: object[]) =>
  (await world.operator('POST', '/import', { usageTriggers })).json().errors;
const readAll = async () => (await world.operator('GET', '/export')).json().usageTriggers;
const triggerId = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
const trigger = { triggerName: 'ninety', accountName, serviceName: 'location', thresholdValue: '90' };

describe('usage triggers of the fleet document', () => {
  // proves data/trigger-names usage-triggers/service
  it('get an id once, and keep it when they are imported again', async () => {
    await world.import({ usageTriggers: [trigger] });
    const before = await readAll();
    assert.deepEqual(before, [
      {
        ...trigger,
        triggerId: before[0].triggerId,
        serviceName: 'Location',
        allowExcess: true,
        sendSmsNotification: false,
        smsPhoneNumbers: '',
        sendEmailNotification: false,
        emailAddresses: '',
        createDate: '2026-01-05',
        updateDate: '2026-01-05',
      },
    ]);
    world.pass(86_400_000);
    await world.import({ usageTriggers: [trigger] });
    assert.deepEqual(await readAll(), before);
  });

  it('change only the given fields', async () => {
    const lists = { smsPhoneNumbers: '5551234567, 5557654321', emailAddresses: 'a@b.example,c@d.example' };
    await world.import({
      usageTriggers: [{ triggerName: 'ninety', accountName, ...lists, allowExcess: 'false' }],
    });
    const [changed] = await readAll();
    assert.equal(changed.thresholdValue, '90');
    assert.equal(changed.smsPhoneNumbers, '5551234567,5557654321');
    assert.equal(changed.allowExcess, false);
    assert.deepEqual([changed.createDate, changed.updateDate], ['2026-01-05', '2026-01-06']);
    await world.import({
      usageTriggers: [{ triggerId: changed.triggerId, accountName, triggerName: 'renamed' }],
    });
    assert.equal((await readAll())[0].triggerName, 'renamed');
  });

  it('import again as they were exported, even if there are none', async () => {
    const usageTriggers = await readAll();
    await world.import({ usageTriggers });
    assert.deepEqual(await readAll(), usageTriggers);
    const fresh = await makeWorld();
    await fresh.import({
      profiles: [{ ecpdId: '9000001' }],
      accounts: [{ accountName, ecpdId: '9000001' }],
      usageTriggers,
    });
    assert.deepEqual((await fresh.operator('GET', '/export')).json().usageTriggers, usageTriggers);
  });

  // proves data/trigger-names usage-triggers/service
  it('are refused twice, under a taken name, in another account, or new and incomplete', async () => {
    const [{ triggerId: kept }] = await readAll();
    await world.import({ usageTriggers: [{ ...trigger, triggerId, triggerName: 'second' }] });
    const first = async (...entries: object[]) => (await refusals(...entries))[0];
    assert.equal((await first(trigger, trigger)).pointer, '/usageTriggers/1/triggerName');
    const upper = triggerId.toUpperCase();
    assert.equal(
      (await first({ accountName, triggerId }, { accountName, triggerId: upper })).pointer,
      '/usageTriggers/1/triggerId',
    );
    assert.equal(
      (await first({ accountName, triggerId, triggerName: 'renamed' })).pointer,
      '/usageTriggers/0/triggerName',
    );
    assert.equal(
      (await first({ accountName: other, triggerId: kept })).pointer,
      '/usageTriggers/0/accountName',
    );
    assert.deepEqual(await refusals({ accountName, triggerName: 'new', thresholdValue: 50 }), [
      { pointer: '/usageTriggers/0/serviceName', detail: 'is needed for a new trigger' },
    ]);
  });

  it('are refused with an invalid threshold, number, address or date', async () => {
    for (const [name, value] of [
      ['thresholdValue', '0'],
      ['thresholdValue', 1_001],
      ['smsPhoneNumbers', '555-1234567'],
      ['emailAddresses', 'a@b.example,invalid'],
      ['createDate', '2026-02-30'],
    ] as const) {
      assert.equal((await refusals({ ...trigger, [name]: value }))[0].pointer, `/usageTriggers/0/${name}`);
    }
    assert.equal((await refusals({ accountName }))[0].pointer, '/usageTriggers/0/triggerName');
  });

  // proves usage-triggers/count
  it('are refused like in the interface: another service, no recipients, a blank name, or too many', async () => {
    const [kept] = await readAll();
    const pointerOf = async (...entries: object[]) => (await refusals(...entries))[0].pointer;
    const { triggerId: known } = kept;
    const otherService = kept.serviceName === 'fota' ? 'Location' : 'fota';
    assert.equal(
      await pointerOf({ accountName, triggerId: known, serviceName: otherService }),
      '/usageTriggers/0/serviceName',
    );
    assert.equal(
      await pointerOf({ ...trigger, triggerName: 'silent', sendEmailNotification: true, emailAddresses: '' }),
      '/usageTriggers/0/emailAddresses',
    );
    assert.equal(await pointerOf({ ...trigger, triggerName: ' ' }), '/usageTriggers/0/triggerName');
    const many = Array.from({ length: 1_000 }, (_, n) => ({ ...trigger, triggerName: `many ${n}` }));
    assert.ok((await refusals(...many)).length > 0);
  });
});
