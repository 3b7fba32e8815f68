import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { listWithheld } from '../index.ts';
import * as scene from './scene.ts';

const { call, db, deviceIdOf, ...world } = await scene.makeScene();
const { TRUCK, BY_IMEI, BY_MEID, TENANT } = scene;
const truck = await deviceIdOf('imei', TRUCK.imei);
const other = await deviceIdOf('imei', BY_IMEI.imei);
const exclude = (body: object) => call('POST', '/loc/v1/consents', { accountName: ACCOUNT, ...body });
const setAll = (allDeviceConsent: number) =>
  call('PUT', '/loc/v1/devicelocations/action/consents', { accountName: ACCOUNT, allDeviceConsent });
const setOne = (consent: number) =>
  call('POST', '/loc/v1/devicelocations/action/consents', {
    accountName: ACCOUNT,
    deviceList: [{ id: TRUCK.imei, kind: 'IMEI', consent }],
  });
const ask = async (accuracy: 'coarse' | 'precise', ids = [truck, other]) =>
  Object.fromEntries(await listWithheld(db, TENANT, ids, accuracy));
const clear = () => exclude({ allDevice: false, exclusion: [] });

describe('devices that may not be located', () => {
  // proves consent/default-level
  it('by level: precise needs 0 or 1, coarse 0 or 2', async () => {
    const denied = { [truck]: 'denied', [other]: 'denied' };
    for (const [level, coarse, precise] of [
      [0, {}, {}],
      [1, denied, {}],
      [2, {}, denied],
      [3, denied, denied],
    ] as const) {
      await setAll(level);
      assert.deepEqual([await ask('coarse'), await ask('precise')], [coarse, precise], `level ${level}`);
    }
  });

  it("by the device's own level, which overrides the account's in both directions", async () => {
    await setAll(3);
    await setOne(1);
    assert.deepEqual(await ask('precise'), { [other]: 'denied' });
    await setAll(0);
    await setOne(2);
    assert.deepEqual(await ask('precise'), { [truck]: 'denied' });
    await setAll(0);
    assert.deepEqual(await ask('precise'), {});
  });

  // proves consent/what-an-entry-excludes
  it('by the list, under any identifier of the device, at any level', async () => {
    for (const id of [TRUCK.imei, TRUCK.meid, TRUCK.esn]) {
      await exclude({ exclusion: [id] });
      assert.deepEqual(
        [await ask('coarse'), await ask('precise')],
        Array(2).fill({ [truck]: 'excluded' }),
        id,
      );
    }
    await clear();
    assert.deepEqual(await ask('coarse'), {});
  });

  // proves 3/all-excluded
  it('by allDevice for all devices, and again by the list when the flag is lifted', async () => {
    await exclude({ exclusion: [TRUCK.imei] });
    await exclude({ allDevice: true });
    assert.deepEqual(await ask('coarse'), { [truck]: 'excluded', [other]: 'excluded' });
    await exclude({ allDevice: false });
    assert.deepEqual(await ask('coarse'), { [truck]: 'excluded' });
    await clear();
  });

  it('by a list that was imported before the device, under each kind of identifier', async () => {
    const later = { imei: '990000000000777', meid: 'A0000012345677', esn: '80ABCDE7' };
    const imeis = Object.values(later);
    await world.import({ exclusions: [{ accountName: ACCOUNT, imeis }] });
    await world.import({
      devices: Object.entries(later).map(([kind, value]) => ({ accountName: ACCOUNT, [kind]: value })),
    });
    for (const [kind, value] of Object.entries(later)) {
      const late = await deviceIdOf(kind, value);
      assert.deepEqual(await ask('coarse', [late]), { [late]: 'excluded' }, kind);
    }
    assert.equal((await exclude({ type: 'append', exclusion: imeis })).statusCode, 200);
    const list = (await call('GET', `/loc/v1/consents/${ACCOUNT}`)).json();
    assert.deepEqual(list.exclusion, imeis.toSorted());
    await clear();
  });

  // proves consent/what-an-entry-excludes
  it('by the list even after the listed identifier was replaced', async () => {
    const [imei, meid] = ['990000000000888', 'A0000012345688'];
    await world.import({ devices: [{ accountName: ACCOUNT, imei, meid }] });
    const device = await deviceIdOf('imei', imei);
    await exclude({ exclusion: [imei] });
    await world.import({ devices: [{ accountName: ACCOUNT, imei: '990000000000889', meid }] });
    assert.equal(await deviceIdOf('imei', '990000000000889'), device);
    assert.deepEqual(await ask('coarse', [device]), { [device]: 'excluded' });
    await call('DELETE', `/loc/v1/consents?accountName=${ACCOUNT}&deviceList=990000000000889`);
    assert.deepEqual(await ask('coarse', [device]), {});
  });

  // proves 4.3/rule-6 consent/default-level
  it('are all devices if no consent is stored', async () => {
    await db.exec(sql`delete from consent where account_name = ${ACCOUNT}`);
    assert.deepEqual(await ask('coarse', [truck]), { [truck]: 'denied' });
    await setAll(0);
    assert.deepEqual(await ask('coarse', []), {});
  });
});

describe('an exported fleet document', () => {
  it('restores exclusions and levels under every kind of identifier', async () => {
    await exclude({ exclusion: [BY_MEID.meid, scene.BY_ESN.esn] });
    await call('POST', '/loc/v1/devicelocations/action/consents', {
      accountName: ACCOUNT,
      deviceList: [
        { id: BY_MEID.meid, kind: 'MEID', consent: 1 },
        { id: scene.BY_ESN.esn, kind: 'ESN', consent: 3 },
      ],
    });
    const read = async () => {
      const { exclusions, consents } = (await world.operator('GET', `/export?accountName=${ACCOUNT}`)).json();
      return { exclusions, consents };
    };
    const before = await read();
    assert.deepEqual(before.exclusions, [
      { accountName: ACCOUNT, allDevice: false, imeis: [scene.BY_ESN.esn, BY_MEID.meid] },
    ]);
    await clear();
    await setAll(2);
    await world.import(before);
    assert.deepEqual(await read(), before);
  });

  it('is refused if a device has no identifier, two of them, or a malformed one', async () => {
    for (const [ids, pointer] of [
      [{}, ''],
      [{ imei: TRUCK.imei, meid: TRUCK.meid }, ''],
      [{ meid: 'a0000012345671' }, '/meid'],
      [{ imei: '12' }, '/imei'],
    ] as const) {
      const devices = [{ ...ids, level: 1 }];
      const answer = await world.operator('POST', '/import', {
        consents: [{ accountName: ACCOUNT, devices }],
      });
      assert.equal(answer.json().errors[0].pointer, `/consents/0/devices/0${pointer}`);
    }
  });

  it('is refused if it names one device twice, by two of its identifiers', async () => {
    const devices = [TRUCK.imei].map((imei) => ({ imei, level: 1 }));
    const twice = [...devices, { meid: TRUCK.meid, level: 2 }];
    const answer = await world.operator('POST', '/import', {
      consents: [{ accountName: ACCOUNT, devices: twice }],
    });
    assert.deepEqual(answer.json().errors, [
      { pointer: '/consents/0/devices/1/meid', detail: 'stands in the document twice' },
    ]);
  });
});
