import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { Fault } from '../../../platform/context/fault.ts';
import { sql } from '../../../platform/db/sql.ts';
import { parseSelection } from '../parse-selection.ts';
import { byImei, imei, makeRequestScene } from './scene.ts';

const KNOWN = { properties: { accountName: {}, servicePlan: {} } };
const scene = await makeRequestScene();
const { world, create, statusOf, call } = scene;
const path = (requestId: string) => `/m2m/v1/accounts/${ACCOUNT}/requests/${requestId}/status`;
const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error.kind.code;
  }
  return 'nothing was refused';
};

describe('GET /m2m/v1/accounts/{accountName}/requests/{requestId}/status', () => {
  // proves lines/request-status
  it('200: answers Pending, then Success, or Failure if any device failed', async () => {
    const [good, bad] = [await create(byImei(1)), await create(byImei(1, 80_000))];
    assert.equal((await statusOf(good)).status, 'Pending');
    await world.engine.settle();
    assert.equal((await statusOf(good)).status, 'Success');
    const { status, devicesRequested, devicesSucceeded, devicesFailed } = await statusOf(bad);
    assert.deepEqual([status, devicesRequested, devicesSucceeded, devicesFailed], ['Failure', 2, 1, 1]);
  });

  // proves lines/request-status
  it('400: refuses a request that never existed, is malformed, or belongs to another account', async () => {
    const requestId = await create(byImei(1));
    const stranger = await asUser(world, STRANGER_USER);
    const answers = [
      await call('GET', path('5c7d2b1e-0f43-4c38-9d6a-7f1f0a4f6b21')),
      await call('GET', path('x')),
      await stranger.call('GET', `/m2m/v1/accounts/${STRANGER}/requests/${requestId}/status`),
    ];
    for (const answer of answers) {
      assert.equal(answer.statusCode, 400);
      assert.equal(answer.json().errorCode, 'DeviceService.REQUEST_FAILED.RequestNotFound');
    }
  });
});

describe('an account that is deleted', () => {
  it('deletes its requests, and a worker that still has one of them finds nothing to do', async () => {
    const other = await makeRequestScene();
    await other.create(byImei(1));
    await other.world.engine.settle();
    await other.create(byImei(1, 2));
    assert.equal((await other.world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    await other.world.engine.settle();
    for (const table of ['carrier_request', 'carrier_request_device', 'callback_message']) {
      const rows = await other.world.ctx.db.many({ text: `select from ${table}`, values: [] });
      assert.equal(rows.length, 0, table);
    }
    assert.equal(other.given.length, 1);
  });
});

describe('choosing the devices of a request', () => {
  const device = { deviceIds: [{ id: '990000000000011', kind: 'imei' }] };
  const rows: [string, object, string][] = [
    ['no devices', {}, 'DeviceService.INPUT_INVALID.DeviceNotProvided'],
    ['an empty list', { accountName: ACCOUNT, devices: [] }, 'DeviceService.INPUT_INVALID.DeviceNotProvided'],
    [
      'a device without ids',
      { devices: [{ deviceIds: [] }] },
      'DeviceService.INPUT_INVALID.DeviceNotProvided',
    ],
    [
      '10,001 devices',
      { devices: Array.from({ length: 10_001 }, () => device) },
      'DeviceService.INPUT_INVALID.MaxRequestsExceeded',
    ],
    [
      'an unknown kind',
      { devices: [{ deviceIds: [{ id: '1', kind: 'barcode' }] }] },
      'DeviceService.INPUT_INVALID.Device.Kind.Invalid',
    ],
    [
      'an identifier that does not fit its kind',
      { devices: [{ deviceIds: [{ id: 'x', kind: 'IMEI' }] }] },
      'DeviceService.INPUT_INVALID.Device.Identifier.Invalid',
    ],
    ['a group', { groupName: 'pilots' }, 'DeviceService.INPUT_INVALID.Filter.NotSupported'],
    [
      'custom fields',
      { customFields: [{ key: 'CustomField1', value: 'x' }] },
      'DeviceService.INPUT_INVALID.Filter.NotSupported',
    ],
    [
      'two lists',
      { devices: [device], deviceIds: device.deviceIds },
      'DeviceService.INPUT_INVALID.Devices.Ambiguous',
    ],
    [
      'a device with half of an identifier',
      { deviceList: [{ kind: 'imei' }] },
      'DeviceService.INPUT_INVALID.DeviceNotProvided',
    ],
    [
      'an empty plan, even together with devices',
      { devices: [device], servicePlan: '' },
      'DeviceService.INPUT_INVALID.Filter.Empty',
    ],
    [
      'a plan without the name of the account',
      { servicePlan: 'P-5MB' },
      'DeviceService.INPUT_INVALID.DeviceNotProvided',
    ],
    [
      'devices together with a plan',
      { devices: [device], servicePlan: 'P-5MB' },
      'DeviceService.INPUT_INVALID.Filter.NotSupported',
    ],
  ];
  // proves lines/choosing-devices
  for (const [what, body, code] of rows)
    it(`refuses ${what}`, () =>
      assert.equal(
        refused(() => parseSelection(body, KNOWN)),
        code,
      ));

  for (const [what, servicePlan, code] of [
    ['a plan that no device of the account is on', 'P-OTHER', 'DeviceNotFound'],
    ['a plan that does not exist', 'NONE', '_servicePlan_.NotFound'],
  ] as const)
    it(`refuses ${what}`, async () => {
      await world.import({ plans: [{ code: 'P-OTHER' }] });
      await assert.rejects(create({ servicePlan }), (error) => {
        assert.ok(error instanceof Fault);
        return error.kind.code === `DeviceService.REQUEST_FAILED.${code}`;
      });
    });

  it('resolves a carrier code to all plans with that code, and never includes sensors, which have no line', async () => {
    const other = await makeRequestScene(2);
    await other.world.import({
      plans: [
        { code: 'P-5MB', carrierServicePlanCode: '5MB' },
        { code: 'P-5MB-NEW', carrierServicePlanCode: '5MB' },
      ],
      devices: [
        { accountName: ACCOUNT, imei: imei(70), servicePlan: 'P-5MB-NEW' },
        { accountName: ACCOUNT, imei: imei(71), servicePlan: 'P-5MB', kind: 'sensor' },
      ],
    });
    const byCarrierCode = await other.statusOf(await other.create({ servicePlan: '5MB' }));
    const byPlan = await other.statusOf(await other.create({ servicePlan: 'P-5MB-NEW' }));
    const all = await other.statusOf(await other.create({ servicePlan: undefined }));
    assert.deepEqual(
      [byCarrierCode, byPlan, all].map(({ devicesRequested }) => devicesRequested),
      [3, 1, 3],
    );
  });

  // proves lines/requests-under-way
  it('refuses another request of an account that has a thousand to work on, apart from those of triggers', async () => {
    const other = await makeRequestScene();
    await other.world.ctx.db.exec(sql`
      insert into carrier_request (ecpd_id, account_name, request_id, operation, status, device_count, body, created_at, created_by)
      select '9000001', ${ACCOUNT}, gen_random_uuid(), 'x', 'Pending', 1, '{}', ${other.world.ctx.now()}, 'x'
      from generate_series(1, 1000)`);
    await assert.rejects(
      other.create(byImei(1)),
      (error) => error instanceof Fault && error.kind.status === 429,
    );
    for (const freed of [sql`held = 1`, sql`held = 0, created_by_kind = 'system'`]) {
      await other.world.ctx.db.exec(sql`update carrier_request set ${freed} where operation = 'x'`);
      await other.create(byImei(1));
    }
  });

  it('refuses an unknown member if the whole account would be selected, and names it', () => {
    const body = { accountName: ACCOUNT, devics: [device] };
    assert.throws(
      () => parseSelection(body, KNOWN),
      (error) => error instanceof Fault && error.detail.reason === 'devics',
    );
    assert.deepEqual(parseSelection({ ...body, devices: [device] }, KNOWN), {
      named: [[{ kind: 'imei', value: '990000000000011' }]],
    });
  });

  it('reads a list under each of its names, and each of its entries in both forms', () => {
    const [id] = device.deviceIds;
    const named = { named: [[{ kind: 'imei', value: '990000000000011' }]] };
    for (const name of ['devices', 'deviceList'])
      for (const entry of [device, id])
        assert.deepEqual(
          parseSelection({ [name]: [entry] }, KNOWN),
          named,
          `${name} ${JSON.stringify(entry)}`,
        );
    const other = { id: '5550100001', kind: 'MDN' };
    assert.deepEqual(parseSelection({ deviceIds: [id!, other] }, KNOWN), {
      named: [...named.named, [{ kind: 'mdn', value: '5550100001' }]],
    });
  });

  it('selects the whole account only if the account is named', () => {
    assert.deepEqual(parseSelection({ accountName: ACCOUNT }, KNOWN), { servicePlan: undefined });
    assert.equal(
      refused(() => parseSelection({}, KNOWN)),
      'DeviceService.INPUT_INVALID.DeviceNotProvided',
    );
  });
});
