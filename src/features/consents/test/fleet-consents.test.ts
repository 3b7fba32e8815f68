import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { putDefaultConsents } from '../index.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
const other = '0000123456-00002';
const [one, two, foreign] = ['990000000000001', '990000000000002', '990000000000003'] as const;
await world.import({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [accountName, other].map((name) => ({ accountName: name, ecpdId: '9000001' })),
  devices: [
    { accountName, imei: one },
    { accountName, imei: two },
    { accountName: other, imei: foreign },
  ],
});
await putDefaultConsents(world.ctx, '9000001');

const refusals = async (...consents: object[]) =>
  (await world.operator('POST', '/import', { consents })).json().errors;
const readAll = async () => (await world.operator('GET', '/export')).json().consents;
const readLedger = () =>
  world.ctx.db.many(sql`
    select l.account_name as "accountName", l.actor, l.change, l.level, d.imei from consent_ledger l
    left join device d using (ecpd_id, device_id) order by entry_id`);
const byImei = (devices: { imei: string }[]) => devices.toSorted((a, b) => a.imei.localeCompare(b.imei));

describe('consents of the fleet document', () => {
  // proves consent/default-level
  it('are 2 from the start, with one ledger entry', async () => {
    await putDefaultConsents(world.ctx, '9000001');
    assert.deepEqual(await readAll(), [
      { accountName, level: 2 },
      { accountName: other, level: 2 },
    ]);
    assert.deepEqual(
      await readLedger(),
      [accountName, other].map((name) => ({
        accountName: name,
        actor: 'operator',
        change: 'level',
        level: 2,
        imei: null,
      })),
    );
  });

  it('change the account, single devices, and the ledger', async () => {
    const device = { imei: one, level: 0 };
    await world.import({ consents: [{ accountName, level: 3, devices: [device] }] });
    assert.deepEqual((await readAll())[0], { accountName, level: 3, devices: [device] });
    assert.deepEqual((await readLedger()).slice(2), [
      { accountName, actor: 'operator', change: 'level', level: 3, imei: null },
      { accountName, actor: 'operator', change: 'device-level', level: 0, imei: one },
    ]);
  });

  it('keep absent values, and add nothing to the ledger for an import without changes', async () => {
    await world.import({ consents: [{ accountName, devices: [{ imei: two, level: 1 }] }] });
    const consents = await readAll();
    assert.equal(consents[0].level, 3);
    assert.deepEqual(byImei(consents[0].devices), [
      { imei: one, level: 0 },
      { imei: two, level: 1 },
    ]);
    const ledger = await readLedger();
    await world.import({ consents });
    assert.deepEqual(await readLedger(), ledger);
    assert.deepEqual(await readAll(), consents);
  });

  it('may name an account several times, but set each level only once', async () => {
    const entry = (imei: string) => ({ accountName, devices: [{ imei, level: 1 }] });
    await world.import({ consents: [entry(one), entry(two), { accountName, level: 0 }] });
    assert.equal((await refusals(entry(one), entry(one)))[0].pointer, '/consents/1/devices/0/imei');
    assert.equal(
      (await refusals({ accountName, level: 1 }, { accountName, level: 1 }))[0].pointer,
      '/consents/1/level',
    );
  });

  it('are refused for a device of another account, an unknown one, or a level that does not exist', async () => {
    for (const imei of [foreign, '990000000000009']) {
      assert.deepEqual(await refusals({ accountName, devices: [{ imei, level: 1 }] }), [
        { pointer: '/consents/0/devices/0/imei', detail: 'names no device of this account' },
      ]);
    }
    assert.equal((await refusals({ accountName, level: 4 }))[0].pointer, '/consents/0/level');
  });
});
