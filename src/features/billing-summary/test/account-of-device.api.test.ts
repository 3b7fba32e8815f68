import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ACCOUNT,
  EID,
  IMEIS,
  LABEL,
  makeBillingScene,
  RATED,
  RATED_IMEI,
  record,
  STRANGER,
} from './scene.ts';

const scene = await makeBillingScene();
await scene.feed([record({ bytes: 5 }), record({ bytes: 7, device: RATED_IMEI })]);
const DAYS = { earliest: '2026-03-01', latest: '2026-03-14' };
const FOREIGN_IMEI = '990000000000029';
const ofImei = (id: string) => ({ id, kind: 'imei' });

const ask = (body: object, caller = scene.both) =>
  caller.call('POST', '/m2m/v1/devices/usage/actions/list', { ...DAYS, ...body });
const used = async (body: object, caller?: typeof scene.both) => {
  const answer = await ask(body, caller);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().usageHistory.map((one: { bytesUsed: number }) => one.bytesUsed);
};
const refused = async (body: object, caller?: typeof scene.both) => {
  const answer = await ask(body, caller);
  return [answer.statusCode, answer.json().errorCode];
};
const NOT_FOUND = [400, 'DeviceService.REQUEST_FAILED.DeviceNotFound'];
const SEVERAL = [400, 'UnifiedWebService.REQUEST_FAILED.MultipleAccounts'];

describe('POST /m2m/v1/devices/usage/actions/list without an account, in a session with several accounts', () => {
  it('200: uses the account of the device', async () => {
    assert.deepEqual(await used({ deviceId: ofImei(IMEIS[0]) }), [5]);
    assert.deepEqual(await used({ deviceId: { id: EID, kind: 'EID' } }), [5]);
    assert.deepEqual(await used({ deviceId: ofImei(RATED_IMEI) }), [7]);
    assert.deepEqual(await used({ accountName: null, deviceId: ofImei(RATED_IMEI) }), [7]);
  });

  it('400: finds no device of an account that the session may not use, and no unknown device', async () => {
    const foreign = await ask({ deviceId: ofImei(FOREIGN_IMEI) });
    const unknown = await ask({ deviceId: ofImei('990000000099999') });
    assert.deepEqual([foreign.statusCode, foreign.json().errorCode], NOT_FOUND);
    assert.deepEqual(foreign.json(), unknown.json());
    assert.ok(!foreign.body.includes(STRANGER));
    assert.deepEqual(await refused({ deviceId: ofImei(RATED_IMEI) }, scene.user), NOT_FOUND);
  });

  it('400: still requires the account for a label, or if no device is named', async () => {
    assert.deepEqual(await refused({ label: LABEL }), SEVERAL);
    assert.deepEqual(await refused({ deviceId: null, label: LABEL }), SEVERAL);
    assert.deepEqual(await refused({}), SEVERAL);
  });

  it('400: refuses an invalid device, and a device together with a label', async () => {
    const invalid = 'DeviceService.INPUT_INVALID';
    assert.deepEqual(await refused({ deviceId: ofImei('12') }), [
      400,
      `${invalid}.Device.Identifier.Invalid`,
    ]);
    const both = { deviceId: ofImei(IMEIS[0]), label: LABEL };
    assert.deepEqual(await refused(both), [400, `${invalid}.Device.Conflict`]);
    for (const deviceId of ['990000000000011', 5, [], { id: IMEIS[0] }])
      assert.deepEqual(await refused({ deviceId }), [
        400,
        'UnifiedWebService.INPUT_INVALID.RequestUndefined',
      ]);
  });

  it('400: does not search other accounts if one is named', async () => {
    const inAccount = (accountName: string) => refused({ accountName, deviceId: ofImei(RATED_IMEI) });
    assert.deepEqual(await inAccount(ACCOUNT), NOT_FOUND);
    assert.deepEqual(await used({ accountName: RATED, deviceId: ofImei(RATED_IMEI) }), [7]);
  });
});
