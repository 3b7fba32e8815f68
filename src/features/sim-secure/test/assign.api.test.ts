import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { inTx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { REQUEST_LIMITS } from '../../carrier-requests/carrier-operation.ts';
import { callbacksOf, TENANT } from '../../carrier-requests/test/scene.ts';
import { workChunk } from '../../carrier-requests/work-request.ts';
import { assignLicenses } from '../assign-licenses.ts';

const PATH = '/m2m/v1/devices/license/actions/assign';
const imei = (n: number) => `9955000000${String(n).padStart(5, '0')}`;
const devices = (...numbers: number[]) =>
  numbers.map((n) => ({ deviceIds: [{ id: imei(n), kind: 'IMEI' }], ipAddress: '10.0.0.1' }));
const FLEX = 'SIMSec-IoT';
const LIFETIME = 'SIMSec-IoT-Lt';
const TIERED = 'SVC-IOT-INTLG-TIERED-SIMSEC';

const world = await makeWorld();
const { db } = world.ctx;
const device = (accountName: string, n: number, more: object = {}) => ({
  accountName,
  imei: imei(n),
  servicePlan: 'P-5MB',
  ...more,
});
await world.import({
  ...SMALL_FLEET,
  devices: [
    ...Array.from({ length: 30 }, (_, n) => device(ACCOUNT, n)),
    device(ACCOUNT, 40, { state: 'suspend' }),
    device(ACCOUNT, 41, { state: 'deactive' }),
    device(MANAGED, 90_000),
    device(STRANGER, 91_000),
  ],
  licenses: [
    { accountName: ACCOUNT, skuNumber: FLEX, purchased: 100 },
    { accountName: ACCOUNT, skuNumber: LIFETIME, purchased: 100 },
    { accountName: ACCOUNT, skuNumber: TIERED, purchased: 3 },
    { accountName: ACCOUNT, skuNumber: 'LAST', purchased: 1 },
    { accountName: ACCOUNT, skuNumber: 'FEW', purchased: 2 },
    { accountName: ACCOUNT, skuNumber: 'IMPORTED', purchased: 5 },
    { accountName: MANAGED, skuNumber: 'MANAGED-ONLY', purchased: 5 },
  ],
});
const user = await asUser(world);
const call = (method: string, body?: object) => user.call(method, PATH, body);
const request = async (method: string, skuNumber: string, ...numbers: number[]): Promise<string> => {
  const answer = await call(method, { accountName: ACCOUNT, skuNumber, devices: devices(...numbers) });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().requestId;
};
const change = async (method: string, skuNumber: string, ...numbers: number[]) => {
  const requestId = await request(method, skuNumber, ...numbers);
  await world.engine.settle();
  return callbacksOf(world, requestId);
};
type Results = Awaited<ReturnType<typeof callbacksOf>>;
const codes = (results: Results) =>
  results.map(({ faultResponse, status }) => faultResponse?.faultcode ?? status);
const assignedTo = async (skuNumber: string) =>
  (
    await db.many<{ imei: string }>(sql`
      select d.imei from license_assignment a join device d on d.ecpd_id = a.ecpd_id and d.device_id = a.device_id
      where a.sku_number = ${skuNumber} order by d.imei`)
  ).map((row) => row.imei);

describe('POST /m2m/v1/devices/license/actions/assign', () => {
  // proves 6.1/CarrierService
  it('200: assigns each device a licence and reports each', async () => {
    const results = await change('POST', FLEX, 0, 1);
    assert.equal(results.length, 2);
    const { requestId, ...rest } = results[0] as Results[0] & { requestId: string };
    assert.match(requestId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      deviceIds: [{ id: imei(0), kind: 'imei' }],
      deviceResponse: { licenseResponse: { skuNumber: FLEX, action: 'assign', assigned: true } },
      status: 'Success',
    });
    assert.deepEqual(await assignedTo(FLEX), [imei(0), imei(1)]);
  });

  it('200: a device that already has the licence succeeds and takes no second one', async () => {
    assert.deepEqual(codes(await change('POST', FLEX, 0, 2)), ['Success', 'Success']);
    assert.deepEqual(await assignedTo(FLEX), [imei(0), imei(1), imei(2)]);
  });

  it('200: accepts a SKU in any letter case, a long one of the interface, and a session with one account', async () => {
    const body = { skuNumber: TIERED.toLowerCase(), devices: devices(3) };
    const answer = await call('POST', body);
    assert.equal(answer.statusCode, 200, answer.body);
    await world.engine.settle();
    assert.deepEqual(await assignedTo(TIERED), [imei(3)]);
  });

  // proves licences/too-few-licences
  it('200: assigns the available licences and fails the other devices', async () => {
    const results = await change('POST', TIERED, 3, 4, 5, 6, 7);
    const noneLeft = 'Carrier.Service.REQUEST_FAILED.License.NotAvailable';
    assert.deepEqual(codes(results).sort(), [noneLeft, noneLeft, 'Success', 'Success', 'Success']);
    const failed = results.find(({ status }) => status === 'Failed');
    assert.equal(failed?.comment, failed?.faultResponse?.faultstring);
    assert.equal((await assignedTo(TIERED)).length, 3);
  });

  // proves licences/too-few-licences
  it('200: assigns the available licences in the order of the request, whatever the stored order of the devices', async () => {
    const kept = await db.many<{ imei: string }>(sql`
      select imei from device where imei = any(${[22, 23, 24, 25, 26].map(imei)}::text[]) order by device_id desc`);
    const asked = kept.map(({ imei }) => Number(imei.slice(-5)));
    const results = await change('POST', 'FEW', ...asked);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['Success', 'Success', 'Failed', 'Failed', 'Failed'],
    );
    assert.deepEqual(await assignedTo('FEW'), asked.slice(0, 2).map(imei).sort());
  });

  it('200: assigns the last licence to one of many concurrent requests', async () => {
    const numbers = [10, 11, 12, 13];
    const ids = await Promise.all(numbers.map((n) => request('POST', 'LAST', n)));
    const operations = new Map([[assignLicenses.name, assignLicenses]]);
    await Promise.all(
      ids.map((id) =>
        workChunk(world.ctx, TENANT, id, { operations, onSettled: [], limits: REQUEST_LIMITS }),
      ),
    );
    const results = (await Promise.all(ids.map((id) => callbacksOf(world, id)))).flat();
    assert.equal(codes(results).filter((code) => code === 'Success').length, 1);
    assert.equal(results.length, 4);
    assert.equal((await assignedTo('LAST')).length, 1);
  });

  it('200: an import at the same time waits for the assignment, and counts it', async () => {
    const id = await request('POST', 'IMPORTED', 14, 15, 16);
    const importing = await inTx(world.ctx, async (tx) => {
      const operations = new Map([[assignLicenses.name, assignLicenses]]);
      await workChunk(tx, TENANT, id, { operations, onSettled: [], limits: REQUEST_LIMITS });
      const license = { accountName: ACCOUNT, skuNumber: 'IMPORTED', purchased: 1 };
      const answer = world.operator('POST', '/import', { licenses: [license] }).then((refused) => refused);
      await untilWaiting(db, { unless: answer });
      return { answer };
    });
    const refused = await importing.answer;
    assert.deepEqual(
      [refused.statusCode, refused.json().errors],
      [422, [{ pointer: '/licenses/0/purchased', detail: 'is less than the number of assigned licences' }]],
    );
    assert.equal((await assignedTo('IMPORTED')).length, 3);
  });

  it('200: fails devices that are not active, not found or of another account', async () => {
    assert.deepEqual(codes(await change('POST', FLEX, 40, 41, 80_000, 90_000, 91_000)), [
      'Carrier.Service.INPUT_INVALID.DeviceState.Invalid',
      'Carrier.Service.INPUT_INVALID.DeviceState.Invalid',
      'DeviceService.REQUEST_FAILED.DeviceNotFound',
      'DeviceService.INPUT_INVALID.Device.Account.Invalid',
      'DeviceService.REQUEST_FAILED.DeviceNotFound',
    ]);
  });

  it('200: accepts 100 devices', async () => {
    const answer = await call('POST', {
      skuNumber: FLEX,
      devices: devices(...Array.from({ length: 100 }, (_, n) => 50_000 + n)),
    });
    assert.equal(answer.statusCode, 200);
    await world.engine.settle();
  });
});

describe('DELETE /m2m/v1/devices/license/actions/assign', () => {
  // proves 2.10/SIMSec-IoT licences/assigned-already
  it('200: removes licences, which can then be assigned to others', async () => {
    const results = await change('DELETE', 'LAST', 10, 11, 12, 13);
    const success = results.find(({ status }) => status === 'Success');
    assert.deepEqual(success?.deviceResponse, {
      licenseResponse: { skuNumber: 'LAST', action: 'unassign', assigned: false },
    });
    assert.deepEqual(codes(results).sort(), [
      ...Array(3).fill('Carrier.Service.REQUEST_FAILED.License.NotAssigned'),
      'Success',
    ]);
    assert.deepEqual(await assignedTo('LAST'), []);
    assert.deepEqual(codes(await change('POST', 'LAST', 17)), ['Success']);
  });

  it('200: removes a licence from a device that is no longer active', async () => {
    await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(17), state: 'suspend' }] });
    assert.deepEqual(codes(await change('DELETE', 'LAST', 17)), ['Success']);
  });

  // proves 2.10/SIMSec-IoT-Lt licences/assigned-already
  it('200: does not remove a Lifetime licence', async () => {
    await change('POST', LIFETIME, 20);
    assert.deepEqual(codes(await change('DELETE', LIFETIME, 20, 21)), [
      'Carrier.Service.REQUEST_FAILED.License.Lifetime',
      'Carrier.Service.REQUEST_FAILED.License.NotAssigned',
    ]);
    assert.deepEqual(await assignedTo(LIFETIME), [imei(20)]);
  });

  it('200: removes only the licence of the given SKU', async () => {
    await change('POST', FLEX, 20);
    assert.deepEqual(codes(await change('DELETE', FLEX, 20)), ['Success']);
    assert.deepEqual(await assignedTo(LIFETIME), [imei(20)]);
  });
});

describe('both', () => {
  const shape = 'UnifiedWebService.INPUT_INVALID.RequestUndefined';
  const notFound = 'Carrier.Service.REQUEST_FAILED.SkuNumber.NotFound';
  const sku = { skuNumber: FLEX };
  for (const [what, body, code, message] of [
    ['a request without a body', undefined, shape, /skuNumber/],
    ['a request without a SKU', { devices: devices(0) }, shape, /skuNumber/],
    ['a request without devices', sku, shape, /devices/],
    ['an empty list', { ...sku, devices: [] }, 'DeviceService.INPUT_INVALID.DeviceNotProvided', /no devices/],
    [
      'a SKU of which the account has no licences',
      { skuNumber: 'OTHER', devices: devices(0) },
      notFound,
      /no licences/,
    ],
    [
      'a SKU that only another account has',
      { skuNumber: 'MANAGED-ONLY', devices: devices(0) },
      notFound,
      /no licences/,
    ],
    [
      'an unknown SKU of more than 20 characters',
      { skuNumber: 'A'.repeat(21), devices: devices(0) },
      'Carrier.Service.INPUT_INVALID.SkuNumber.Invalid',
      /20 characters/,
    ],
    [
      '101 devices',
      { ...sku, devices: devices(...Array.from({ length: 101 }, (_, n) => n)) },
      'Carrier.Service.INPUT_INVALID.NumberofDevices',
      /100 devices/,
    ],
    [
      'a kind that does not exist',
      { ...sku, devices: [{ deviceIds: [{ id: '1', kind: 'x' }] }] },
      'DeviceService.INPUT_INVALID.Device.Kind.Invalid',
      /kind/,
    ],
    [
      'an account that does not exist',
      { ...sku, accountName: '1-1', devices: devices(0) },
      'UnifiedWebService.REQUEST_FAILED.AccountNotFound',
      /account/i,
    ],
  ] as const) {
    // proves licences/assigning
    it(`400: refuse ${what}`, async () => {
      for (const method of ['POST', 'DELETE']) {
        const answer = await call(method, body);
        assert.equal(answer.statusCode, 400, answer.body);
        assert.equal(answer.json().errorCode, code);
        assert.match(answer.json().errorMessage, message);
      }
    });
  }
});

describe('a SKU in another letter case', () => {
  it('200: a Lifetime licence is recognised in any letter case and never removed', async () => {
    const skuNumber = LIFETIME.toLowerCase();
    await world.import({
      licenses: [{ accountName: ACCOUNT, skuNumber, purchased: 99 }],
      licenseAssignments: [{ accountName: ACCOUNT, skuNumber, imei: imei(29) }],
    });
    const listed = await user.call('POST', '/m2m/v1/accounts/subscriptions/actions/list', {
      accountName: ACCOUNT,
      skuNumber,
    });
    assert.deepEqual(
      listed
        .json()
        .subscriptionList.map((each: Record<string, unknown>) => [
          each['skuNumber'],
          each['licenseType'],
          each['licensePurchased'],
        ]),
      [[LIFETIME, 'Lifetime', 99]],
    );
    assert.deepEqual(codes(await change('DELETE', skuNumber, 29)), [
      'Carrier.Service.REQUEST_FAILED.License.Lifetime',
    ]);
    assert.ok((await assignedTo(LIFETIME)).includes(imei(29)));
  });
});
