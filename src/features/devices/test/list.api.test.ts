import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const imei = (n: number) => `99000000001${String(n).padStart(4, '0')}`;
const line = (n: number, more: object = {}) => ({
  accountName: ACCOUNT,
  imei: imei(n),
  record: { createdon: `2026-01-0${(n % 5) + 1}T00:00:00Z` },
  ...more,
});
await world.import({
  ...SMALL_FLEET,
  accounts: SMALL_FLEET.accounts.map((account) =>
    account.accountName === ACCOUNT ? { ...account, timeZone: 'America/Chicago', billCycleDay: 10 } : account,
  ),
  users: [...SMALL_FLEET.users, { username: 'two', password: 'two-password', accounts: [ACCOUNT, MANAGED] }],
  plans: [...SMALL_FLEET.plans, { code: 'P-1GB', carrierServicePlanCode: 'ONE-GB', kind: 'share' }],
  devices: [
    { accountName: ACCOUNT, kind: 'sensor', mac: '00:11:22:33:44:55' },
    { accountName: MANAGED, imei: imei(6) },
    SMALL_FLEET.devices[1],
  ],
});
const LINES = [
  {
    accountName: ACCOUNT,
    imei: imei(1),
    iccid: '89148000000000000011',
    mdn: '5550100001',
    servicePlan: 'P-5MB',
    planSince: '2026-01-04T05:59:59Z',
    record: { createdon: '2025-12-01T00:00:00Z', sku: 'MODEM-1' },
  },
  line(2, { servicePlan: 'P-5MB', planSince: '2026-01-04T10:00:00Z', simulation: { online: false } }),
  line(3, { servicePlan: 'P-1GB', state: 'suspend', mdn: '5550200003' }),
  line(4),
  line(5, { servicePlan: 'P-1GB', state: 'deactive', meid: 'A0000000000005' }),
];
// One by one, because a document has no order.
for (const device of LINES) await world.import({ devices: [device] });
const user = await asUser(world);
const list = (body: object = {}, caller = user) => caller.call('POST', '/m2m/v1/devices/actions/list', body);
interface Listed {
  readonly deviceIds: readonly { id: string; kind: string }[];
  readonly extendedAttributes: readonly { key: string; value: string }[];
}
const imeisOf = ({ devices }: { devices: readonly Listed[] }) =>
  devices.map(({ deviceIds }) => Number(deviceIds[0]!.id.slice(-4)));
const listed = async (body: object = {}): Promise<number[]> => {
  const answer = await list(body);
  assert.equal(answer.statusCode, 200, answer.body);
  return imeisOf(answer.json());
};

describe('200', () => {
  // proves listing/pages-of-devices
  it('lists the lines of the only account, in the order in which they were added, and no sensors', async () =>
    assert.deepEqual(await listed(), [1, 2, 3, 4, 5]));

  // proves listing/last-connection listing/end-of-the-cycle
  it("shows all data of a device, with the end of its bill cycle in the account's time zone", async () => {
    const [device] = (await list({ accountName: ACCOUNT, deviceId: { id: imei(1), kind: 'IMEI' } })).json()
      .devices;
    const number = device.extendedAttributes[0].value;
    assert.match(number, /^[0-9]+$/);
    assert.deepEqual(device, {
      accountName: ACCOUNT,
      billingCycleEndDate: '2026-01-09T23:59:59-06:00',
      carrierInformations: [{ carrierName: 'Linekeeper', servicePlan: 'P-5MB', state: 'active' }],
      connected: true,
      createdAt: '2025-12-01T00:00:00.000Z',
      customFields: [],
      deviceIds: [
        { id: imei(1), kind: 'imei' },
        { id: '89148000000000000011', kind: 'iccid' },
        { id: '5550100001', kind: 'mdn' },
      ],
      extendedAttributes: [
        { key: 'DeviceId', value: number },
        { key: 'SkuNumber', value: 'MODEM-1' },
      ],
      groupNames: [],
      ipAddress: '',
      lastActivationDate: '2026-01-04T05:59:59.000Z',
    });
  });

  it('shows a device as not connected while the network does not have it, or it has no line', async () => {
    const { devices } = (await list()).json();
    assert.deepEqual(
      devices.map(({ connected }: { connected: boolean }) => connected),
      [true, false, false, false, false],
    );
  });

  // proves listing/activation-dates listing/groups-and-custom-fields listing/listed-states
  for (const [what, body, found] of [
    ['the state active', { currentState: 'Active' }, [1, 2]],
    ['the state suspend', { currentState: 'suspend' }, [3]],
    ['the state in another word', { currentState: 'Activate' }, [1, 2]],
    ['a transient state, in which no device is found', { currentState: 'pending activation' }, []],
    ['a plan', { servicePlan: 'P-1GB' }, [3, 5]],
    ['an earliest activation', { earliest: '2026-01-04T06:00:00Z', currentState: 'active' }, [2]],
    ['a latest activation or creation', { latest: '2026-01-04T09:00:00Z' }, [1]],
    ['a code of the carrier for a plan', { servicePlan: 'ONE-GB' }, [3, 5]],
    [
      "one day in the account's time zone, which is included",
      { earliest: '2026-01-03', latest: '2026-01-03' },
      [1],
    ],
    [
      "a date without a time, which begins in the account's time zone",
      { earliest: '2026-01-04', currentState: 'active' },
      [2],
    ],
    ['custom fields, which are not stored', { customFields: [{ key: 'CustomField1', value: 'x' }] }, []],
    ['a state and a plan', { currentState: 'active', servicePlan: 'P-1GB' }, []],
  ] as const)
    it(`filters by ${what}`, async () => assert.deepEqual(await listed(body), found));

  for (const [what, filters, found] of [
    ['the beginning', [{ kind: 'mdn', startswith: '55501' }], [1]],
    ['the end', [{ kind: 'imei', endswith: '0004' }], [4]],
    ['a part', [{ kind: 'MDN', contains: '0200' }], [3]],
    ['a beginning in any letter case', [{ kind: 'meid', startswith: 'a0000' }], [5]],
    [
      'two conditions that must both match',
      [
        { kind: 'imei', startswith: '99' },
        { kind: 'mdn', endswith: '1' },
      ],
      [1],
    ],
    ['pattern characters, which are taken literally', [{ kind: 'imei', contains: '%' }], []],
    ["the beginning of another customer's identifier", [{ kind: 'imei', startswith: '99000000000002' }], []],
  ] as const)
    it(`filters identifiers by ${what}`, async () =>
      assert.deepEqual(await listed({ filter: { deviceIdentifierFilters: filters } }), found));
});

describe('202', () => {
  const first = async (body: object = {}) => {
    const answer = await list({ maxNumberOfDevices: 2, ...body });
    assert.equal(answer.statusCode, 202, answer.body);
    assert.equal(answer.json().hasMoreData, true);
    return answer.json();
  };

  // proves listing/pages-of-devices listing/next-page
  it('is the status while more remain; the next page continues after largestDeviceIdSeen, as text or number', async () => {
    const page = await first();
    assert.deepEqual(imeisOf(page), [1, 2]);
    for (const largestDeviceIdSeen of [page.largestDeviceIdSeen, Number(page.largestDeviceIdSeen)]) {
      const next = await first({ largestDeviceIdSeen });
      assert.deepEqual(imeisOf(next), [3, 4]);
      const last = await list({ maxNumberOfDevices: 2, largestDeviceIdSeen: next.largestDeviceIdSeen });
      assert.deepEqual([last.statusCode, last.json().hasMoreData, imeisOf(last.json())], [200, false, [5]]);
    }
  });

  // proves listing/next-page
  it('can be continued after the DeviceId of the last device, or any of its identifiers', async () => {
    const { devices } = await first({ maxNumberOfDevices: 1 });
    const [device] = devices as Listed[];
    const seen = [
      device!.extendedAttributes[0]!.value,
      ...device!.deviceIds.map(({ id }) => id),
      Number(imei(1)),
    ];
    for (const largestDeviceIdSeen of seen)
      assert.deepEqual(await listed({ largestDeviceIdSeen }), [2, 3, 4, 5]);
  });

  it('keeps its order when devices are changed and added between pages', async () => {
    const page = await first();
    await world.import({ devices: [{ accountName: ACCOUNT, imei: imei(1), mdn: '5550100009' }, line(7)] });
    assert.deepEqual(await listed({ largestDeviceIdSeen: page.largestDeviceIdSeen }), [3, 4, 5, 7]);
    await world.operator('DELETE', `/devices/imei/${imei(7)}`);
  });

  it('never lists more than 2,000', async () => {
    const devices = Array.from({ length: 2_001 }, (_, n) => ({
      accountName: MANAGED,
      imei: `9912000000${String(n).padStart(5, '0')}`,
    }));
    await world.import({ devices });
    const two = await asUser(world, { username: 'two', password: 'two-password' });
    for (const more of [{}, { maxNumberOfDevices: 5_000 }]) {
      const answer = await list({ accountName: MANAGED, ...more }, two);
      assert.deepEqual([answer.statusCode, answer.json().devices.length], [202, 2_000]);
    }
  });
});

describe('400', () => {
  const code = (detail: string) => `DeviceService.${detail}`;
  const filter = (...filters: object[]) => ({ filter: { deviceIdentifierFilters: filters } });
  for (const [what, body, errorCode] of [
    [
      'an unknown device',
      { deviceId: { id: imei(99), kind: 'imei' } },
      code('REQUEST_FAILED.DeviceNotFound'),
    ],
    [
      'a device of another customer',
      { deviceId: { id: '990000000000029', kind: 'imei' } },
      code('REQUEST_FAILED.DeviceNotFound'),
    ],
    [
      'a device of another account of the profile',
      { deviceId: { id: imei(6), kind: 'imei' } },
      code('REQUEST_FAILED.DeviceNotFound'),
    ],
    ['an unknown kind', { deviceId: { id: '1', kind: 'x' } }, code('INPUT_INVALID.Device.Kind.Invalid')],
    [
      'a malformed identifier',
      { deviceId: { id: '1', kind: 'imei' } },
      code('INPUT_INVALID.Device.Identifier.Invalid'),
    ],
    [
      'a filter of an unknown kind',
      filter({ kind: 'x', contains: '1' }),
      code('INPUT_INVALID.Device.Kind.Invalid'),
    ],
    ['a filter without a condition', filter({ kind: 'imei' }), code('INPUT_INVALID.Filter.Invalid')],
    ['an unknown state', { currentState: 'asleep' }, code('INPUT_INVALID.DeviceState.Invalid')],
    ['an unknown plan', { servicePlan: 'none' }, code('REQUEST_FAILED._servicePlan_.NotFound')],
    ['a group, because there are none', { groupName: 'g' }, code('REQUEST_FAILED.DeviceGroupNotFound')],
    [
      'a custom field that does not exist',
      { customFields: [{ key: 'CustomField6', value: '' }] },
      code('INPUT_INVALID.CustomField.InvalidName'),
    ],
    ['an invalid time', { earliest: 'yesterday' }, code('INPUT_INVALID.Time.Invalid')],
    [
      'a place in the list that no device has',
      { largestDeviceIdSeen: 'nowhere' },
      code('INPUT_INVALID.LargestDeviceIdSeen.Invalid'),
    ],
    ['a page size of 0', { maxNumberOfDevices: 0 }, 'UnifiedWebService.INPUT_INVALID.RequestUndefined'],
    [
      'an account that does not exist',
      { accountName: '1-1' },
      'UnifiedWebService.REQUEST_FAILED.AccountNotFound',
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      const answer = await list(body);
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, errorCode], answer.body);
    });

  it('refuses a session with several accounts that names none', async () => {
    const answer = await list({}, await asUser(world, { username: 'two', password: 'two-password' }));
    assert.equal(answer.json().errorCode, 'UnifiedWebService.REQUEST_FAILED.MultipleAccounts');
  });
});

describe('401', () => {
  it('refuses an account of another customer', async () =>
    assert.equal((await list({ accountName: STRANGER })).statusCode, 401));
});
