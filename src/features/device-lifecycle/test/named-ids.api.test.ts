import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { iccid, imei, makeLifecycleScene } from './scene.ts';

const { db, ask, done, stateOf, callbacksOf, world } = await makeLifecycleScene();
const named = (n: number, sim: string) => ({
  deviceIds: [
    { id: imei(n), kind: 'IMEI' },
    { id: sim, kind: 'ICCID' },
  ],
});
const body = (...devices: object[]) => ({
  accountName: ACCOUNT,
  servicePlan: 'P-5MB',
  mdnZipCode: '76051',
  devices,
});
const simOf = async (n: number) =>
  (await db.one<{ iccid: string | null }>(sql`select iccid from device where imei = ${imei(n)}`)).iccid;
const ownerOf = async (sim: string) =>
  (
    await db.maybe<{ imei: string }>(sql`
      select d.imei from device_identifier di join device d using (ecpd_id, device_id)
      where di.kind = 'iccid' and di.value = ${sim}`)
  )?.imei;
const CONTRADICTING = 'DeviceService.INPUT_INVALID.Device.Identifier.Invalid';

describe('POST /m2m/v1/devices/actions/activate', () => {
  it('200: gives a known device the unused SIM that is named with it', async () => {
    const [answer] = await done('actions/activate', body(named(10, iccid(700))));
    assert.equal(answer?.status, 'Success');
    const { activateResponse: line } = answer?.deviceResponse ?? {};
    assert.ok(JSON.stringify(line?.['deviceIds']).includes(iccid(700)));
    assert.deepEqual(
      [await simOf(10), await ownerOf(iccid(700)), await stateOf(10)],
      [iccid(700), imei(10), 'active'],
    );
  });

  it('200: fails a device that has another SIM, or whose SIM belongs to another account, customer or device', async () => {
    await world.import({
      devices: [
        { accountName: ACCOUNT, imei: imei(11), iccid: iccid(711) },
        { accountName: MANAGED, imei: imei(30), iccid: iccid(712) },
        { accountName: STRANGER, imei: imei(40), iccid: iccid(713) },
      ],
    });
    const answers = await done(
      'actions/activate',
      body(named(11, iccid(799)), named(12, iccid(712)), named(13, iccid(713)), named(14, iccid(711))),
    );
    assert.deepEqual(
      answers.map(({ faultResponse }) => faultResponse.faultcode),
      Array(4).fill(CONTRADICTING),
    );
    assert.deepEqual(
      [await simOf(11), await ownerOf(iccid(799)), await simOf(12), await stateOf(12)],
      [iccid(711), undefined, null, 'pre-active'],
    );
  });

  it('200: gives a SIM to only one of two devices, in one request and in two', async () => {
    const answers = await done('actions/activate', body(named(12, iccid(720)), named(13, iccid(720))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), ['Failed', 'Success']);
    const taken = await Promise.all(
      [13, 14].map(async (n) => (await ask('actions/activate', body(named(n, iccid(721))))).json().requestId),
    );
    await world.engine.settle();
    const results = (await Promise.all(taken.map((id) => callbacksOf(id)))).flat();
    assert.deepEqual(results.map(({ status }) => status).sort(), ['Failed', 'Success']);
    assert.equal(results.find(({ status }) => status === 'Failed')?.faultResponse.faultcode, CONTRADICTING);
  });

  it('200: leaves a device that cannot be activated as it is', async () => {
    const [answer] = await done('actions/activate', body(named(0, iccid(730))));
    assert.match(String(answer?.faultResponse.faultcode), /DeviceAlreadyActive$/);
    assert.deepEqual([await simOf(0), await ownerOf(iccid(730))], [null, undefined]);
  });
});

describe('POST /m2m/v1/devices/actions/suspend', () => {
  it('200: still fails a device that is also named by an unknown identifier', async () => {
    const [answer] = await done('actions/suspend', { accountName: ACCOUNT, devices: [named(1, iccid(740))] });
    assert.deepEqual([answer?.faultResponse.faultcode, await stateOf(1)], [CONTRADICTING, 'active']);
  });
});
