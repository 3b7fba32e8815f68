import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
const other = '0000123456-00002';
const sensorId = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
const [deviceImei, crowded, foreign] = ['990000000000001', '990000000000005', '990000000000009'] as const;
await world.import({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [accountName, other].map((name) => ({ accountName: name, ecpdId: '9000001' })),
  devices: [
    { accountName, kind: 'gateway', imei: deviceImei },
    { accountName, kind: 'sensor', mac: 'aa-bb-cc-dd-ee-ff', record: { id: sensorId } },
    { accountName, imei: crowded },
    { accountName: other, imei: foreign },
  ],
});

const refusals = async (...rules: object[]) =>
  (await world.operator('POST', '/import', { rules })).json().errors;
const readAll = async () => (await world.operator('GET', '/export')).json().rules;
const find = async (name: string) => (await readAll()).find((rule: { name: string }) => rule.name === name);
const rule = {
  accountName,
  deviceImei,
  name: 'too hot',
  disabled: false,
  rulechain: { if: [{ gt: 5.5 }] },
  rulesyntax: 'json',
};

describe('rules of the fleet document', () => {
  it('get missing values once, and are not written again when nothing changed', async () => {
    await world.import({
      rules: [rule, { ...rule, deviceImei: null, deviceid: sensorId.toUpperCase(), name: 'too cold' }],
    });
    const before = await readAll();
    const hot = await find('too hot');
    assert.deepEqual({ ...hot, ...rule, version: '1' }, hot);
    assert.equal((await find('too cold')).deviceid, sensorId);
    world.pass(60_000);
    await world.import({ rules: [rule] });
    await world.import({ rules: before });
    assert.deepEqual(await readAll(), before);
  });

  it('get a new version with a change, and keep absent fields', async () => {
    const { id } = await find('too hot');
    await world.import({ rules: [{ accountName, deviceImei, name: 'too hot', disabled: true }] });
    await world.import({ rules: [{ accountName, id, description: 'boiler' }] });
    const { version, disabled, description, rulechain } = await find('too hot');
    assert.deepEqual([version, disabled, description, rulechain], ['3', true, 'boiler', rule.rulechain]);
  });

  it('are refused if a device would have more than 100, including disabled ones', async () => {
    const many = (count: number, from = 0) =>
      Array.from({ length: count }, (_, n) => ({
        accountName,
        deviceImei: crowded,
        name: `r ${from + n}`,
        disabled: n % 2 === 0,
      }));
    assert.deepEqual(await refusals(...many(101)), [
      {
        pointer: '/rules/100/deviceid',
        detail: 'is a device that would have more than 100 rules with this import',
      },
    ]);
    await world.import({ rules: many(99) });
    assert.equal((await refusals(...many(102)))[0].pointer, '/rules/100/deviceid');
    await world.import({ rules: many(100) });
    await world.import({ rules: many(100).map((one) => ({ ...one, description: 'again' })) });
    assert.equal((await find('r 99')).description, 'again');
    assert.equal((await refusals(...many(1, 100)))[0].pointer, '/rules/0/deviceid');
  });

  it('are refused for a device that is unknown, of another account, or not their own', async () => {
    const { id } = await find('too hot');
    const first = async (...entries: object[]) => (await refusals(...entries))[0];
    assert.equal((await first({ ...rule, deviceImei: foreign })).detail, 'names no device of this account');
    assert.equal((await first({ ...rule, deviceImei: '990000000000008' })).pointer, '/rules/0/deviceImei');
    assert.equal((await first({ ...rule, deviceImei: null, deviceid: id })).pointer, '/rules/0/deviceid');
    assert.equal((await first({ ...rule, deviceid: sensorId })).detail, 'is not the device of deviceImei');
    assert.equal((await first({ accountName, id, deviceid: sensorId })).pointer, '/rules/0/id');
    assert.equal(
      (await first({ accountName, name: 'new' })).detail,
      'is missing, and so is deviceid: a new rule needs one of them',
    );
  });

  it('are refused if they appear twice, or have neither name nor id', async () => {
    const { id } = await find('too hot');
    assert.equal((await refusals(rule, { accountName, id }))[0].pointer, '/rules/1/id');
    const fresh = { ...rule, name: 'new' };
    assert.equal((await refusals(fresh, fresh))[0].pointer, '/rules/1/name');
    assert.equal((await refusals({ accountName, deviceImei, disabled: true }))[0].pointer, '/rules/0/name');
  });
});
