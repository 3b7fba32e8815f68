import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { START } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { callbacksOf } from '../../carrier-requests/test/scene.ts';
import { ADDRESS, addressed, byImei, iccid, imei, makePlanScene, PLACE } from './scene.ts';

const special = {
  10: { state: 'suspend' },
  11: { state: 'pre-active' },
  12: { state: 'deactive' },
  13: { activatedBySku: true, otaUpdated: false },
  14: { activatedBySku: true, otaUpdated: true },
  15: { record: { productmodel: 'M1' } },
  16: { record: { productmodel: 'M2' } },
};
const { world, call, request, change, deviceOf } = await makePlanScene(40, { special });
const faults = (results: Awaited<ReturnType<typeof callbacksOf>>) =>
  results.map(({ faultResponse }) => faultResponse?.faultcode);
const changesOf = async (n: number) =>
  world.ctx.db.many(sql`
    select plan_code as plan, changed_by as "by" from device_plan
    where device_id = ${(await deviceOf(n)).deviceId} and cause = 'change' order by change_id`);

describe('PUT and POST /m2m/v1/devices/actions/plan', () => {
  for (const [n, method] of [
    [0, 'PUT'],
    [1, 'POST'],
  ] as const) {
    // proves 4.5/change 4.5/servicePlan plans/put-or-post
    it(`200: ${method} changes the plan, records the requester, and reports when it took effect`, async () => {
      const results = await change({ servicePlan: 'P-50MB', devices: byImei(n) }, method);
      const { requestId, ...rest } = results[0] as (typeof results)[0] & { requestId: string };
      assert.match(requestId, /^[0-9a-f-]{36}$/);
      assert.deepEqual(
        [results.length, rest],
        [
          1,
          {
            deviceIds: [{ id: imei(n), kind: 'imei' }],
            deviceResponse: { changeServicePlanResponse: { effectiveDate: START.toISOString() } },
            status: 'Success',
          },
        ],
      );
      const { plan, since, place } = await deviceOf(n);
      assert.deepEqual([plan, since, place], ['P-50MB', START, null]);
      assert.deepEqual(await changesOf(n), [{ plan: 'P-50MB', by: 'ws-user' }]);
    });
  }

  it('200: changes nothing before the job has run, and then reports the change once', async () => {
    const requestId = await request({ servicePlan: 'P-50MB', devices: byImei(2) });
    assert.equal((await deviceOf(2)).plan, 'P-5MB');
    await world.engine.settle();
    assert.equal((await deviceOf(2)).plan, 'P-50MB');
    assert.equal((await callbacksOf(world, requestId)).length, 1);
  });

  // proves 4.5/deviceListWithServiceAddress 4.5/deviceIds 4.5/primaryPlaceOfUse 4.5/address 4.5/customerName
  // proves plans/plan-spellings
  it('200: accepts a list with addresses, in the spellings of the interface and of clients, and stores the places', async () => {
    const { addressLine1, ...others } = ADDRESS;
    const customerName = { title: 'Ms', firstName: 'Ann', middleName: 'B', lastName: 'C', suffix: 'Jr' };
    const results = await change({
      servicePlan: 'P-50MB',
      deviceListWithServiceAddress: [
        addressed(3),
        {
          deviceIds: [],
          deviceId: [
            { id: imei(4), kind: 'IMEI' },
            { id: iccid(4), kind: 'ICCID' },
          ],
          primaryPlaceOfUse: {
            address: {
              addressLine1: '',
              addresLine1: addressLine1,
              addressLine2: 'Unit 5',
              zip4: '1234',
              ...others,
            },
            customerName,
          },
        },
        { deviceIds: [{ id: iccid(5), kind: 'IccId' }], primaryPlaceOfUse: PLACE },
      ],
    });
    assert.deepEqual(
      results.map(({ status }) => status),
      ['Success', 'Success', 'Success'],
    );
    assert.deepEqual((await deviceOf(3)).place, { ...PLACE, address: { ...ADDRESS, state: 'TX' } });
    assert.deepEqual((await deviceOf(4)).place, {
      address: { ...ADDRESS, state: 'TX', addressLine2: 'Unit 5', zip4: '1234' },
      customerName,
    });
    assert.equal((await deviceOf(5)).plan, 'P-50MB');
    assert.ok((await deviceOf(5)).place);
    assert.deepEqual(await world.ctx.db.many(sql`select from plan_change_place`), []);
  });

  // proves 6.3/plan-change plans/plan-identifiers
  it('200: names devices only by imei, imsi, msisdn, iccid, mdn and min, also in failures', async () => {
    const eid = (n: number) => `8904${String(n).padStart(28, '0')}`;
    await world.import({
      devices: [
        { accountName: ACCOUNT, imei: imei(38), eid: eid(38) },
        { accountName: ACCOUNT, imei: imei(10), eid: eid(10) },
      ],
    });
    const results = await change({
      servicePlan: 'P-50MB',
      devices: [
        { deviceIds: [{ id: eid(38), kind: 'EID' }] },
        {
          deviceIds: [
            { id: eid(10), kind: 'EID' },
            { id: imei(10), kind: 'IMEI' },
          ],
        },
        { deviceIds: [{ id: eid(99), kind: 'EID' }] },
      ],
    });
    const own = { id: imei(38), kind: 'imei' };
    assert.deepEqual(
      results.map(({ status, deviceIds }) => [status, deviceIds]),
      [
        ['Success', [own, { id: iccid(38), kind: 'iccid' }]],
        ['Failed', [{ id: imei(10), kind: 'imei' }]],
        // Nothing else is known about an unknown device.
        ['Failed', [{ id: eid(99), kind: 'eid' }]],
      ],
    );
  });

  it('200: replaces the place of use with each change, and stores none for a failed change', async () => {
    await change({ servicePlan: 'P-50MB', deviceListWithServiceAddress: [addressed(6)] });
    const moved = { ...PLACE, address: { ...ADDRESS, city: 'Dallas' } };
    await change({ servicePlan: 'P-SHARE', deviceListWithServiceAddress: [addressed(6, moved)] });
    const { place } = await deviceOf(6);
    assert.equal((place as typeof PLACE).address.city, 'Dallas');
    const failing = { ...PLACE, address: { ...ADDRESS, zip: '10001' } };
    const results = await change({
      servicePlan: 'P-FIXED',
      deviceListWithServiceAddress: [addressed(6, failing)],
    });
    assert.equal(results[0]?.status, 'Failed');
    assert.deepEqual((await deviceOf(6)).place, place);
  });

  it('200: stores the first of two places for one device, and deletes those of unknown devices with the request', async () => {
    const second = { ...PLACE, address: { ...ADDRESS, city: 'Dallas' } };
    const results = await change({
      servicePlan: 'P-50MB',
      deviceListWithServiceAddress: [addressed(7), addressed(7, second), addressed(80_000)],
    });
    assert.deepEqual(
      results.map(({ status }) => status),
      ['Success', 'Failed', 'Failed'],
    );
    assert.deepEqual((await deviceOf(7)).place, { ...PLACE, address: { ...ADDRESS, state: 'TX' } });
    await world.ctx.db.exec(sql`delete from carrier_request`);
    assert.deepEqual(await world.ctx.db.many(sql`select from plan_change_place`), []);
  });

  for (const [what, n, code, text] of [
    [
      'suspended',
      10,
      'DeviceService.INPUT_INVALID.DeviceState.Invalid',
      'The plan of a suspended device cannot be changed',
    ],
    [
      'pre-active',
      11,
      'DeviceService.INPUT_INVALID.DeviceState.Invalid',
      'Only the plan of an active device can be changed',
    ],
    [
      'deactivated',
      12,
      'DeviceService.INPUT_INVALID.DeviceState.Invalid',
      'Only the plan of an active device can be changed',
    ],
    [
      'activated by SKU and not updated over the air',
      13,
      'DeviceService.REQUEST_FAILED.OtaUpdateRequired',
      'The device was activated by SKU and needs an over-the-air SIM update first',
    ],
  ] as const) {
    // proves 4.5/suspended-devices 4.5/activated-by-sku lines/whole-request-or-one-device plans/plan-refusals
    it(`200: fails a device that is ${what}, and changes another one in the request`, async () => {
      const other = n + 10;
      const results = await change({ servicePlan: 'P-50MB', devices: byImei(n, other) });
      const { requestId: _, ...failed } = results[0] as (typeof results)[0] & { requestId: string };
      assert.deepEqual(failed, {
        deviceIds: [{ id: imei(n), kind: 'imei' }],
        faultResponse: { faultcode: code, faultstring: text },
        status: 'Failed',
        comment: text,
      });
      assert.equal(results[1]?.status, 'Success');
      assert.deepEqual([(await deviceOf(n)).plan, (await deviceOf(other)).plan], ['P-5MB', 'P-50MB']);
    });
  }

  it('200: changes a device that was activated by SKU once it is updated over the air', async () => {
    assert.deepEqual(faults(await change({ servicePlan: 'P-50MB', devices: byImei(14) })), [undefined]);
  });

  // proves 4.5/supported-devices plans/supported-models
  it('200: fails devices whose model is unsupported by the plan or unknown', async () => {
    const results = await change({ servicePlan: 'P-M1', devices: byImei(15, 16, 17) });
    const unsupported = 'DeviceService.REQUEST_FAILED.DeviceNotSupported';
    assert.deepEqual(faults(results), [undefined, unsupported, unsupported]);
  });

  // proves 4.5/fixed-location plans/qualified-addresses
  it('200: requires a qualified address for an unlimited plan with a fixed location', async () => {
    const elsewhere = { ...PLACE, address: { ...ADDRESS, zip: '10001' } };
    const results = await change({
      servicePlan: 'P-FIXED',
      deviceListWithServiceAddress: [addressed(18), addressed(19, elsewhere)],
    });
    const unqualified = 'DeviceService.REQUEST_FAILED.AddressNotQualified';
    assert.deepEqual(faults(results), [undefined, unqualified]);
    assert.deepEqual([(await deviceOf(18)).plan, (await deviceOf(19)).plan], ['P-FIXED', 'P-5MB']);
    const without = await change({ servicePlan: 'P-FIXED', devices: byImei(19) });
    assert.deepEqual(faults(without), [unqualified]);
    const roaming = await change({ servicePlan: 'P-ROAM', devices: byImei(19) });
    assert.deepEqual(faults(roaming), [undefined]);
  });

  // proves plans/four-a-month
  it('200: reports success since the original date for a device that already has the plan, and records no change', async () => {
    const results = await change({ servicePlan: 'P-5MB', devices: byImei(24) });
    assert.deepEqual(results[0]?.deviceResponse, {
      changeServicePlanResponse: { effectiveDate: '2025-06-01T00:00:00.000Z' },
    });
    assert.deepEqual(await changesOf(24), []);
  });

  // proves 4.5/accountName plans/plan-identifiers
  it("200: uses the session's only account if none is named, and accepts other kinds of identifiers in a plain list", async () => {
    const answer = await call({
      servicePlan: 'P-50MB',
      devices: [
        {
          deviceIds: [
            { id: iccid(26), kind: 'Iccid' },
            { id: imei(26), kind: 'imei' },
          ],
        },
      ],
      carrierIpPoolName: 'any',
      takeEffect: '2026-01-05',
      somethingElse: 1,
    });
    assert.equal(answer.statusCode, 200, answer.body);
    await world.engine.settle();
    assert.equal((await deviceOf(26)).plan, 'P-50MB');
  });

  it('200: does not change a device of another account', async () => {
    const results = await change({ servicePlan: 'P-50MB', devices: byImei(90_000, 91_000) });
    assert.deepEqual(
      results.map(({ status }) => status),
      ['Failed', 'Failed'],
    );
    assert.deepEqual([(await deviceOf(90_000)).plan, (await deviceOf(91_000)).plan], ['P-5MB', 'P-5MB']);
  });

  it('200: makes two requests of a repeated call, and the second finds the plan changed', async () => {
    const body = { accountName: ACCOUNT, servicePlan: 'P-50MB', devices: byImei(27) };
    assert.notEqual(await request(body), await request(body));
    await world.engine.settle();
    assert.equal((await changesOf(27)).length, 1);
  });
});
