import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  users: [...SMALL_FLEET.users, { username: 'two', password: 'two-password', accounts: [ACCOUNT, MANAGED] }],
  plans: [
    ...SMALL_FLEET.plans,
    { code: 'P-FLAT', carrierServicePlanCode: 'C-77', name: 'Flat', kind: 'unlimited' },
  ],
});
const { call } = await asUser(world);
const PLANS = [
  {
    name: '5 MB',
    code: 'P-5MB',
    sizeKb: 5_120,
    carrierServicePlanCode: 'P-5MB',
    extendedAttributes: [{ key: 'kind', value: 'payAsYouGo' }],
  },
  {
    name: 'Flat',
    code: 'P-FLAT',
    sizeKb: 0,
    carrierServicePlanCode: 'C-77',
    extendedAttributes: [{ key: 'kind', value: 'unlimited' }],
  },
];

for (const path of ['plans', 'accounts'])
  describe(`GET /m2m/v1/${path}/{accountName}, refused`, () => {
    // proves refusals/not-found
    it('400: an account that does not exist', async () => {
      const answer = await call('GET', `/m2m/v1/${path}/1-1`);
      const code = 'UnifiedWebService.REQUEST_FAILED.AccountNotFound';
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, code]);
    });

    it('401: an account of another customer', async () => {
      const answer = await call('GET', `/m2m/v1/${path}/${STRANGER}`);
      const code = 'UnifiedWebService.REQUEST_FAILED.AccountName';
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [401, code]);
    });
  });

describe('GET /m2m/v1/plans/{accountName}', () => {
  // proves 4.10/plans data/accounts-and-plans
  it('200: lists the plans by code, with their size in KB of 1,024 bytes, or 0 without an allowance', async () => {
    const answer = await call('GET', `/m2m/v1/plans/${ACCOUNT}`);
    assert.deepEqual([answer.statusCode, answer.json()], [200, PLANS]);
  });
});

describe('GET /m2m/v1/accounts/{accountName}', () => {
  // proves data/accounts-and-plans
  it('200: has every field that clients read, and the features of the account', async () => {
    const answer = await call('GET', `/m2m/v1/accounts/${ACCOUNT}`);
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.json(), {
      accountName: ACCOUNT,
      accountNumber: ACCOUNT,
      organizationName: 'Acme',
      isProvisioningAllowed: true,
      carriers: ['Linekeeper'],
      features: ['Location', 'AggregatedBilling'],
      iPPools: [{ poolName: 'default', poolType: 'Dynamic', isDefaultPool: true }],
      servicePlans: PLANS,
    });
  });

  it('200: answers an empty organization name if the account has none', async () => {
    const two = await asUser(world, { username: 'two', password: 'two-password' });
    const answer = await two.call('GET', `/m2m/v1/accounts/${MANAGED}`);
    assert.deepEqual([answer.statusCode, answer.json().organizationName], [200, '']);
  });
});
