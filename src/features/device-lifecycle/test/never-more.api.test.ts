import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { byImei, imei, makeLifecycleScene } from './scene.ts';

const { ask, done, db } = await makeLifecycleScene();
const states = () =>
  db.many<{ imei: string; state: string }>(sql`select imei, state from device order by imei`);
const activation = { servicePlan: 'P-5MB', mdnZipCode: '76051' };
const FF = { reasonCode: 'FF' };
const [one] = byImei(1);
const id = one!.deviceIds[0]!;

const REFUSED: readonly [string, string, object][] = [
  ['an account that is deactivated without a list', 'deactivate', FF],
  ['a plan that is deactivated without a list', 'deactivate', { ...FF, servicePlan: 'P-5MB' }],
  ['an unknown member instead of a list', 'deactivate', { ...FF, deviceLst: [one] }],
  ['an activation without a list', 'activate', activation],
  ['an activation with an empty group', 'activate', { ...activation, devices: [one], groupName: null }],
  ['devices that are null', 'suspend', { devices: null }],
  ['a list that is null', 'suspend', { deviceList: null }],
  ['identifiers that are null', 'suspend', { deviceIds: null }],
  ['an entry whose identifiers are null', 'suspend', { devices: [{ ...id, deviceIds: null }] }],
  ['a plan that is null', 'suspend', { servicePlan: null }],
  ['a null plan together with a list', 'suspend', { devices: [one], servicePlan: null }],
  ['a null group together with a list', 'suspend', { devices: [one], groupName: null }],
  ['two lists', 'suspend', { devices: [one], deviceList: [one] }],
  ['two lists of which one is empty', 'suspend', { devices: [one], deviceIds: [] }],
  ['a member of plan changes', 'restore', { carrierIpPoolName: 'x' }],
];

describe('POST /m2m/v1/devices/actions/activate, deactivate, suspend and restore', () => {
  for (const [what, action, body] of REFUSED)
    it(`400: refuse ${what}, and no line changes`, async () => {
      const before = await states();
      const answer = await ask(`actions/${action}`, { accountName: ACCOUNT, ...body });
      assert.equal(answer.statusCode, 400, answer.body);
      assert.deepEqual(await states(), before);
    });

  it('400: name the unknown member, cut to 64 characters', async () => {
    const name = 'x'.repeat(1_000);
    const answer = await ask('actions/suspend', { accountName: ACCOUNT, [name]: [one] });
    assert.deepEqual(
      [answer.statusCode, answer.json().errorCode],
      [400, 'DeviceService.INPUT_INVALID.Member.Unknown'],
    );
    assert.match(answer.json().errorMessage, /: x{64}$/);
  });

  it('200: deactivate only the line that deviceList names', async () => {
    const before = await states();
    const results = await done('actions/deactivate', { accountName: ACCOUNT, deviceList: [one], ...FF });
    assert.deepEqual(
      results.map(({ status, deviceIds }) => [status, deviceIds]),
      [['Success', [{ id: imei(1), kind: 'imei' }]]],
    );
    assert.deepEqual(
      await states(),
      before.map((line) => (line.imei === imei(1) ? { ...line, state: 'deactive' } : line)),
    );
  });

  it('200: accept an address in either form of entry, and ignore a group together with a list', async () => {
    const results = await done('actions/activate', {
      ...activation,
      groupName: 'pilots',
      deviceIds: [{ id: imei(10), kind: 'imei', ipAddress: '10.7.0.1' }],
    });
    assert.equal(results[0]?.deviceResponse['activateResponse']?.['ipAddress'], '10.7.0.1');
  });

  it('200: ignore unknown members together with a list', async () => {
    const [result] = await done('actions/suspend', { devices: byImei(2), deviceLst: null, note: 'x' });
    assert.equal(result?.status, 'Success');
  });
});
