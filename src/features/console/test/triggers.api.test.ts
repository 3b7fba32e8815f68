import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ACCOUNT,
  MANAGED,
  SMALL_FLEET,
  STRANGER,
  STRANGER_USER,
  USER,
} from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { BROWSER, type Browser, signIn } from './scene.ts';

const MB = 1024 ** 2;
const SHARER = { username: 'sharer', password: 'sharer-password' };
const world = await makeWorld({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '1' } });
await world.import({
  ...SMALL_FLEET,
  users: [...SMALL_FLEET.users, { ...SHARER, accounts: [MANAGED] }],
  ratePlanGroups: [
    { ratePlanGroupId: 7, ecpdId: '9000001', planCodes: ['P-5MB'], accounts: [ACCOUNT, MANAGED] },
  ],
  managedAccounts: [
    {
      accountName: MANAGED,
      paccountName: ACCOUNT,
      serviceName: 'Location',
      type: 'SVC-LOC-COARSE-CellID-Aggr',
      state: 'provisioned',
    },
  ],
  devices: [
    ...SMALL_FLEET.devices,
    { accountName: ACCOUNT, imei: '990000000000037', mdn: '5550100003', servicePlan: 'P-5MB' },
  ],
});
const [user, stranger, sharer, operator] = [
  await signIn(world, USER),
  await signIn(world, STRANGER_USER),
  await signIn(world, SHARER),
  await signIn(world),
];
/** Price plan triggers name no account: an operator's page says by a header for whom it calls. */
const call = (
  browser: Browser,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  account = ACCOUNT,
) => browser.call(method, `/m2m/v2/triggers${path}`, body, { ...BROWSER, 'x-account-name': account });
const optionsOf = async (browser: Browser, account = ACCOUNT) =>
  (await browser.get(`/accounts/${account}/triggers/options`)).json();

const callback = { notificationType: 'PerEvent', callback: true };
const owned = { ecpdId: '9000001', triggerCategory: 'PricePlanDataUsage' };
const individual = (condition: object = {}, action: object = {}, accountNameList = [ACCOUNT]) => ({
  ...owned,
  triggerName: 'Lines',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList },
      condition: { comparator: 'gt', threshold: 1, thresholdUnit: 'MB', cycleType: 'Daily', ...condition },
      action,
    },
  },
  notification: callback,
});
const pool = {
  ...owned,
  triggerName: 'Pool',
  pricePlanTrigger: {
    accountGroupShare: {
      accountGroupSharePool: {
        filterCriteria: { ratePlanGroupId: 7 },
        condition: { action: 'notify' },
        action: { notify: { threshold: [{ percentage: { percentage50: true } }] } },
      },
    },
  },
  notification: callback,
};
async function create(browser: Browser, body: object): Promise<string> {
  const answer = await call(browser, 'POST', '', body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().triggerId;
}
let fed = 0;
const use = async (device: string, bytes: number) =>
  void (await world.operator('POST', '/usage', {
    id: `t${++fed}`,
    kind: 'imei',
    device,
    at: world.ctx.now(),
    bytes,
  }));

describe('price plan triggers by cookie', () => {
  it('200: are created, changed in a part and deleted by a user, and by an operator for the account named', async () => {
    for (const browser of [user, operator]) {
      const triggerId = await create(browser, individual());
      const change = { ...owned, triggerId, active: false };
      assert.equal((await call(browser, 'PUT', '', change)).statusCode, 200);
      const [read] = (await call(browser, 'GET', `/${triggerId}`)).json().triggers;
      assert.deepEqual([read.triggerName, read.active], ['Lines', false]);
      assert.equal((await call(browser, 'DELETE', `/${triggerId}`)).statusCode, 200);
      assert.equal((await call(browser, 'GET', `/${triggerId}`)).json().error, 'trigger_not_found');
    }
  });

  it('404: of others are not there, whatever account the header of a user names', async () => {
    const triggerId = await create(user, individual());
    for (const account of [ACCOUNT, STRANGER])
      for (const answer of [
        await call(stranger, 'GET', `/${triggerId}`, undefined, account),
        await call(stranger, 'DELETE', `/${triggerId}`, undefined, account),
        await call(stranger, 'GET', `/${triggerId}/firings`, undefined, account),
        await call(operator, 'GET', `/${triggerId}`, undefined, STRANGER),
      ])
        assert.deepEqual([answer.statusCode, answer.json().error], [404, 'trigger_not_found'], answer.body);
    assert.equal((await call(stranger, 'POST', '', individual())).statusCode, 401);
    await call(user, 'DELETE', `/${triggerId}`);
  });

  it('200: on a group share are for those who have all accounts of the profile, and for operators', async () => {
    assert.equal((await call(user, 'POST', '', pool)).statusCode, 401);
    const triggerId = await create(operator, pool);
    const listOf = async (browser: Browser, account: string) =>
      (await call(browser, 'GET', `/accounts/${account}`)).json().triggers;
    assert.equal((await listOf(user, ACCOUNT)).length, 0);
    assert.equal((await listOf(operator, MANAGED))[0].triggerId, triggerId);
    await call(operator, 'DELETE', `/${triggerId}`);
  });

  it('200: can name the plans and groups that there are, and the accounts that the viewer has', async () => {
    const options = await optionsOf(user);
    const namesOf = ({ accounts }: { accounts: { accountName: string }[] }) =>
      accounts.map(({ accountName }) => accountName);
    assert.deepEqual(namesOf(options), [ACCOUNT]);
    assert.deepEqual(namesOf(await optionsOf(sharer, MANAGED)), [MANAGED]);
    assert.deepEqual(namesOf(await optionsOf(operator)), [ACCOUNT, MANAGED]);
    assert.equal(options.ecpdId, '9000001');
    assert.deepEqual(options.groups, [{ id: 7, planCodes: ['P-5MB'] }]);
    assert.deepEqual(options.plans, [{ code: 'P-5MB', name: '5 MB', kind: 'payAsYouGo' }]);
  });
});

describe('firings by cookie', () => {
  it('200: are approved by those who see the trigger, and by operators with admin', async () => {
    const suspendDetails = { suspendDuration: '30', suspendOption: 'WithBilling' };
    const triggerId = await create(
      user,
      individual(
        { conditionType: 'AccountLevel' },
        { suspend: true, suspendDetails: { ...suspendDetails, threshold: 2, thresholdUnit: 'MB' } },
      ),
    );
    await use('990000000000011', 3 * MB);
    const { firings } = (await call(user, 'GET', `/${triggerId}/firings`)).json();
    const waiting = firings.find(
      ({ actions }: { actions: { state: string }[] }) => actions[0]?.state === 'awaitingApproval',
    );
    const judged = async (word: string, browser: Browser, account?: string) =>
      (await call(browser, 'POST', `/firings/${waiting.firingId}/${word}`, undefined, account)).json();
    assert.equal((await judged('approve', stranger)).error, 'firing_not_found');
    assert.equal((await judged('approve', operator, STRANGER)).error, 'firing_not_found');
    const { key } = (
      await world.operator('POST', '/keys', { name: 'fleeter', scopes: ['read', 'fleet'] })
    ).json();
    assert.equal((await judged('approve', await signIn(world, { operatorKey: key }))).error, 'scope_missing');
    assert.equal((await judged('reject', user)).actions[0].state, 'skipped');
    assert.equal((await judged('approve', operator)).error, 'nothing_to_approve');
  });

  it('200: are tried by a key that may only read, without writing anything', async () => {
    const { key } = (await world.operator('POST', '/keys', { name: 'tester', scopes: ['read'] })).json();
    const period = { from: '2026-01-04', to: '2026-01-05' };
    const reader = await signIn(world, { operatorKey: key });
    const answer = await call(reader, 'POST', '/actions/backtest', { ...individual(), period });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(
      answer.json().firings.map((one: { after: number }) => one.after),
      [3 * MB],
    );
  });
});

describe('usage triggers by cookie', () => {
  it('400: of a managed account are for who may use its primary account, and for operators', async () => {
    const list = `/subsc/v1/usage/accounts/${MANAGED}/triggers`;
    assert.deepEqual((await sharer.call('GET', list)).json(), []);
    const body = { accountName: MANAGED, serviceName: 'Location', thresholdValue: '50' };
    const made = await operator.call('POST', '/subsc/v1/usage/triggers', body);
    const path = `${list}/${made.json().triggerId}`;
    for (const answer of [
      await sharer.call('GET', list),
      await sharer.call('GET', `${path}/firings`),
      await sharer.call('DELETE', path),
    ]) {
      assert.equal(answer.statusCode, 400, answer.body);
      assert.match(answer.json().errorMessage, /UWS account validation failed/);
    }
    assert.equal((await operator.call('GET', list)).json().length, 1);
    assert.equal((await operator.call('DELETE', path)).statusCode, 200);
  });
});
