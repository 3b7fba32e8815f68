import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const license = (skuNumber: string, purchased: number) => ({ accountName: ACCOUNT, skuNumber, purchased });
await world.import({
  ...SMALL_FLEET,
  licenses: [
    license('SIMSec-IoT-Lt', 10),
    license('SIMSec-IoT', 5),
    license('SVC-BUNDLE-KTO-SIMSEC-MRC', 7),
    license('OWN-SKU', 1),
    { accountName: STRANGER, skuNumber: 'STRANGE', purchased: 3 },
  ],
  licenseAssignments: [{ accountName: ACCOUNT, skuNumber: 'SIMSec-IoT', imei: '990000000000011' }],
});
const { call } = await asUser(world);
const list = (body: object) => call('POST', '/m2m/v1/accounts/subscriptions/actions/list', body);
const listed = async (skuNumber?: string) => {
  const answer = await list({ accountName: ACCOUNT, skuNumber });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const entry = (skuNumber: string, licenseType: string, purchased: number, assigned = 0) => ({
  skuNumber,
  licenseType,
  licensePurchased: purchased,
  licenseAssigned: assigned,
  licenseAvailable: purchased - assigned,
  extendedAttributes: [],
});

// proves licences/subscription-count
describe('200', () => {
  // proves 2.10/entry 4.6/count
  it('lists every kind of license the account has, with the available number', async () =>
    assert.deepEqual(await listed(), {
      accountName: ACCOUNT,
      subscriptionList: [
        entry('OWN-SKU', 'Flexible', 1),
        entry('SIMSec-IoT', 'Flexible', 5, 1),
        entry('SIMSec-IoT-Lt', 'Lifetime', 10),
        entry('SVC-BUNDLE-KTO-SIMSEC-MRC', 'Flexible Bundle', 7),
      ],
    }));

  // proves 4.6/count data/skus
  it('lists one kind by its SKU in any letter case, also if it is longer than 20 characters', async () => {
    assert.deepEqual((await listed('SIMSec-IoT')).subscriptionList, [entry('SIMSec-IoT', 'Flexible', 5, 1)]);
    const bundle = [entry('SVC-BUNDLE-KTO-SIMSEC-MRC', 'Flexible Bundle', 7)];
    assert.deepEqual((await listed('SVC-BUNDLE-KTO-SIMSEC-MRC')).subscriptionList, bundle);
    assert.deepEqual((await listed('svc-bundle-kto-simsec-mrc')).subscriptionList, bundle);
    assert.deepEqual((await listed('own-sku')).subscriptionList, [entry('OWN-SKU', 'Flexible', 1)]);
  });

  it('is an empty list for one of the four SKUs of which the account has none', async () =>
    assert.deepEqual((await listed('SVC-IOT-INTLG-TIERED-SIMSEC')).subscriptionList, []));
});

describe('400', () => {
  const MISSING = {
    errorCode: 'Carrier.Service.INPUT_INVALID.Action.NotDefined',
    errorMessage: 'accountName is a required field.',
  };
  // proves 7.1/sim-secure licences/subscription-count
  for (const [what, body] of [
    ['is absent', { skuNumber: 'SIMSec-IoT' }],
    ['is null', { accountName: null }],
  ] as const)
    it(`says in the interface's own words that accountName ${what}`, async () => {
      const answer = await list(body);
      assert.deepEqual([answer.statusCode, answer.json()], [400, MISSING]);
    });

  for (const [what, skuNumber, errorCode] of [
    ['an unknown SKU', 'UNKNOWN', 'Carrier.Service.REQUEST_FAILED.SkuNumber.NotFound'],
    ["another account's SKU", 'STRANGE', 'Carrier.Service.REQUEST_FAILED.SkuNumber.NotFound'],
    ['an unknown SKU of 21 characters', 'X'.repeat(21), 'Carrier.Service.INPUT_INVALID.SkuNumber.Invalid'],
    ['an empty SKU', '', 'Carrier.Service.INPUT_INVALID.SkuNumber.Invalid'],
  ] as const)
    it(`refuses ${what}`, async () => {
      const answer = await list({ accountName: ACCOUNT, skuNumber });
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, errorCode]);
    });

  it('refuses an account that does not exist', async () =>
    assert.match((await list({ accountName: '1-1' })).json().errorCode, /AccountNotFound$/));
});

describe('401', () => {
  it("refuses another customer's account", async () =>
    assert.equal((await list({ accountName: STRANGER })).statusCode, 401));
});
