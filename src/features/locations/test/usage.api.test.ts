import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { recordTransactions } from '../../usage/index.ts';

const world = await makeWorld();
await world.import({
  ...LOCATION_FLEET,
  accounts: LOCATION_FLEET.accounts.map((account) => ({
    ...account,
    locationRegistered: account.accountName !== STRANGER,
    ...(account.accountName === MANAGED && { timeZone: 'America/Los_Angeles' }),
  })),
  users: [...LOCATION_FLEET.users, { username: 'child', password: 'child-password', accounts: [MANAGED] }],
  managedAccounts: [
    {
      accountName: MANAGED,
      paccountName: ACCOUNT,
      serviceName: 'Location',
      type: 'SVC-LOC-COARSE-CellID-Aggr',
      state: 'provisioned',
    },
  ],
});
const { call } = await asUser(world);
const child = await asUser(world, { username: 'child', password: 'child-password' });

let request = 0;
const use = (accountName: string, ...times: string[]) =>
  recordTransactions(
    world.ctx,
    '9000001',
    times.map((at) => ({
      accountName,
      serviceName: 'Location' as const,
      requestRef: `r${++request}`,
      deviceId: '00000000-0000-0000-0000-000000000001',
      at: new Date(at),
    })),
    nobodyEvaluates.watchServices,
  );
await use(ACCOUNT, '2026-01-01T00:00:00Z', '2026-01-02T23:59:59Z', '2026-01-03T00:00:00Z');
// In Los Angeles it is still the previous day.
await use(MANAGED, '2026-01-01T07:59:59Z', '2026-01-01T08:00:00Z');

const usage = (body: object, by = call) =>
  by('POST', '/loc/v1/usage', {
    accountName: ACCOUNT,
    startDate: '01-01-2026',
    endDate: '01-02-2026',
    ...body,
  });

describe('POST /loc/v1/usage', () => {
  describe('200', () => {
    // proves 2.5/accountName 2.5/skuName 2.5/transactionsAllowed 2.5/totalTransactionCount 2.5/PrimaryAccount
    // proves 4.3/usage 4.3/rule-4
    it('counts the days of the range, both ends included, for the primary account only', async () => {
      assert.deepEqual((await usage({})).json(), {
        accountName: ACCOUNT,
        usageForAllAccounts: false,
        usageForAllAcounts: false,
        skuName: 'SVC-LOC-COARSE-CellID-5K',
        transactionsAllowed: '5000',
        totalTransactionCount: '2',
        PrimaryAccount: { accountName: ACCOUNT, transactionsCount: '2' },
        primaryAccount: { accountName: ACCOUNT, transactionsCount: '2' },
        ManagedAccounts: [],
      });
    });

    // proves 2.5/usageForAllAccounts 2.5/ManagedAccounts 4.3/rule-4 location/usage-report
    it('adds the managed accounts if all are requested, in either spelling, by the days of the primary account', async () => {
      for (const flag of ['usageForAllAccounts', 'usageForAllAcounts']) {
        const report = (await usage({ [flag]: true })).json();
        assert.deepEqual(report.ManagedAccounts, [{ accountName: MANAGED, transactionsCount: '2' }]);
        assert.deepEqual([report.totalTransactionCount, report.usageForAllAccounts], ['4', true]);
      }
    });

    it('lists a managed account that used nothing in the days', async () => {
      const report = (await usage({ startDate: '01-02-2026', usageForAllAccounts: true })).json();
      assert.deepEqual(report.ManagedAccounts, [{ accountName: MANAGED, transactionsCount: '0' }]);
      assert.equal(report.totalTransactionCount, '1');
    });

    // proves 2.5/PrimaryAccount 4.3/rule-4
    it('shows a managed account only itself, whatever it requests', async () => {
      for (const usageForAllAccounts of [false, true]) {
        const report = (
          await usage({ accountName: MANAGED, startDate: '12-31-2025', usageForAllAccounts }, child.call)
        ).json();
        assert.deepEqual([report.PrimaryAccount, report.totalTransactionCount], [{}, '2']);
        assert.deepEqual(report.ManagedAccounts, [{ accountName: MANAGED, transactionsCount: '2' }]);
        assert.deepEqual([report.skuName, report.transactionsAllowed], ['SVC-LOC-COARSE-CellID-Aggr', '0']);
      }
    });

    it('counts the days of a managed account in its own time zone', async () => {
      for (const [startDate, count] of [
        ['12-31-2025', '2'],
        ['01-01-2026', '1'],
      ])
        assert.equal(
          (await usage({ accountName: MANAGED, startDate }, child.call)).json().totalTransactionCount,
          count,
        );
    });

    it('counts nothing in days without use', async () =>
      assert.equal(
        (await usage({ startDate: '02-01-2020', endDate: '02-29-2020' })).json().totalTransactionCount,
        '0',
      ));
  });

  describe('400', () => {
    for (const [what, range] of [
      ['a day that does not exist', { startDate: '02-30-2026', endDate: '03-01-2026' }],
      ['another notation', { startDate: '2026-01-01' }],
      ['a range that ends before it begins', { startDate: '01-03-2026', endDate: '01-02-2026' }],
      ['no end', { endDate: undefined }],
      ['a month 13', { endDate: '13-01-2026' }],
    ] as const) {
      // proves 4.3/usage location/usage-report
      it(`refuses ${what}`, async () => {
        const answer = await usage(range);
        assert.deepEqual([answer.statusCode, answer.json().errorCode], [400, 'INVALID_PARAMETER']);
        assert.match(answer.json().errorMessage, /^Input Binding Error/);
      });
    }
  });

  describe('401', () => {
    it('refuses the primary account to a user of the managed one', async () =>
      assert.equal((await usage({}, child.call)).statusCode, 401));
  });
});

describe('GET /loc/v1/subscriptions/{a}', () => {
  // proves location/subscription
  it('200: shows the SKU, what it includes and since when', async () => {
    const answer = (await call('GET', `/loc/v1/subscriptions/${ACCOUNT}`)).json();
    assert.deepEqual(answer, {
      accountName: ACCOUNT,
      locType: 'SVC-LOC-COARSE-CellID-5K',
      maxAllowance: '5000',
      purchaseTime: '2026-01-05 00:00:00.000 +0000 UTC',
    });
  });

  // proves location/subscription
  it('400: an account without a subscription', async () => {
    const answer = await call('GET', `/loc/v1/subscriptions/${MANAGED}`);
    assert.deepEqual([answer.statusCode, answer.json().errorMessage], [400, 'Unregistered account']);
  });

  it("401: another customer's account", async () => {
    const { call: own } = await asUser(world, USER);
    assert.equal((await own('GET', `/loc/v1/subscriptions/${STRANGER}`)).statusCode, 401);
  });
});
