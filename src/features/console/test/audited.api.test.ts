import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { BROWSER, type Browser, signIn } from './scene.ts';

const MB = 1024 ** 2;
const DAY_MS = 86_400_000;
const SKU = 'SVC-LOC-COARSE-CellID-Aggr';
const MANAGED_USER = { username: 'managed-user', password: 'managed-password' };
/** A firing that would touch more than one line waits for somebody. */
const world = await makeWorld({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '1' } });
await world.import({
  ...SMALL_FLEET,
  users: [...SMALL_FLEET.users, { ...MANAGED_USER, accounts: [MANAGED] }],
  devices: [
    ...SMALL_FLEET.devices,
    { accountName: ACCOUNT, imei: '990000000000037', mdn: '5550100003', servicePlan: 'P-5MB' },
  ],
});
const operator = await signIn(world);
const SUSPENDING = {
  ecpdId: '9000001',
  triggerCategory: 'PricePlanDataUsage',
  triggerName: 'Lines',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [ACCOUNT] },
      condition: {
        conditionType: 'AccountLevel',
        comparator: 'gt',
        threshold: 1,
        thresholdUnit: 'MB',
        cycleType: 'Daily',
      },
      action: {
        suspend: true,
        suspendDetails: {
          suspendDuration: '30',
          suspendOption: 'WithBilling',
          threshold: 2,
          thresholdUnit: 'MB',
        },
      },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
};

async function done(answer: ReturnType<Browser['call']>) {
  const { statusCode, body, json } = await answer;
  assert.equal(statusCode, 200, body);
  return json();
}

async function manageAccount(primary: Browser, managed: Browser): Promise<void> {
  const path = '/subsc/v1/managedaccounts';
  const service = { serviceName: 'Location', type: SKU };
  const addition = { accountName: ACCOUNT, ...service, managedAccList: [MANAGED] };
  await done(primary.call('POST', `${path}/actions/add`, addition));
  for (const act of ['provision', 'cancel']) {
    const { own } = await done(managed.call('GET', `${path}/${MANAGED}/service/Location/relations`));
    const body = { accountName: MANAGED, paccountName: ACCOUNT, ...service, txid: own[0].txid };
    await done(managed.call('POST', `${path}/actions/${act}`, body));
  }
}

const call = (browser: Browser, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  browser.call(method, `/m2m/v2/triggers${path}`, body, { ...BROWSER, 'x-account-name': ACCOUNT });

let days = 0;
async function judgeNext(browser: Browser, triggerId: string, word: string): Promise<void> {
  world.pass(DAY_MS);
  const use = {
    id: `day ${++days}`,
    kind: 'imei',
    device: '990000000000011',
    at: world.ctx.now(),
    bytes: 3 * MB,
  };
  await done(world.operator('POST', '/usage', use));
  const { firings } = await done(call(browser, 'GET', `/${triggerId}/firings`));
  const waits = ({ actions }: { actions: { state: string }[] }) => actions[0]?.state === 'awaitingApproval';
  await done(call(browser, 'POST', `/firings/${firings.find(waits).firingId}/${word}`));
}

async function useTrigger(browser: Browser): Promise<void> {
  const { triggerId } = await done(call(browser, 'POST', '', SUSPENDING));
  await done(call(browser, 'PUT', '', { ecpdId: '9000001', triggerId, triggerName: 'All lines' }));
  await judgeNext(browser, triggerId, 'reject');
  await judgeNext(browser, triggerId, 'approve');
  await done(call(browser, 'DELETE', `/${triggerId}`));
}

/** Who is named by the newest line of each kind of change. */
const namedBy = async (actor: string, actions: readonly string[]) =>
  Promise.all(
    actions.map(async (action) => {
      const [line] = await done(world.operator('GET', `/audit?action=${action}&actor=${actor}&limit=1`));
      return `${action} by ${line?.actorKind} ${line?.actor}`;
    }),
  );

const MANAGING = ['addManagedAccounts', 'provisionManagedAccount', 'cancelManagedAccount'];
const TRIGGERS = [
  'createPricePlanTrigger',
  'updatePricePlanTrigger',
  'rejectFiring',
  'approveFiring',
  'deletePricePlanTrigger',
];

describe('changes in the console are found in the audit log', () => {
  it('200: by the name of the key and as an operator’s, where an operator makes them', async () => {
    await manageAccount(operator, operator);
    await useTrigger(operator);
    const actions = [...MANAGING, ...TRIGGERS];
    assert.deepEqual(
      await namedBy('first', actions),
      actions.map((action) => `${action} by operator first`),
    );
  });

  it('200: as calls with their status, whatever route an operator changes something by, and not what one reads', async () => {
    const reading = { accountname: ACCOUNT, filter: {} };
    await done(operator.call('POST', '/dm/v1/devices/actions/query', reading));
    await done(operator.call('GET', '/operator/v1/accounts'));
    await done(operator.call('POST', '/operator/v1/actions/pause'));
    await done(operator.call('POST', '/operator/v1/actions/resume'));
    const refused = await operator.call('DELETE', `/m2m/v1/callbacks/${ACCOUNT}/name/AlertService`);
    const lines = await done(world.operator('GET', '/audit?actor=first&limit=1000'));
    const of = (action: string) => lines.filter((line: { action: string }) => line.action === action);
    const statusOf = (action: string) => of(action).at(0)?.status;
    assert.deepEqual(
      [
        'operatorPauseActions',
        'operatorResumeActions',
        'consoleRemoveListenerM2m',
        'consoleCreatePricePlanTrigger',
        'consoleAddManagedAccounts',
        'consoleSignIn',
      ].map(statusOf),
      [200, 200, refused.statusCode, 200, 200, 200],
    );
    assert.equal(of('consoleRemoveListenerM2m')[0].accountName, ACCOUNT);
    assert.equal(of('consoleAddManagedAccounts')[0].accountName, ACCOUNT);
    for (const reads of ['consoleQueryDevices', 'operatorListAccounts', 'consoleListPricePlanTriggerFirings'])
      assert.deepEqual(of(reads), []);
  });

  it('200: by the name of the user and as a user’s, where a user makes them', async () => {
    await manageAccount(await signIn(world, USER), await signIn(world, MANAGED_USER));
    await useTrigger(await signIn(world, USER));
    const [added, ...own] = MANAGING;
    const ofUser = [added!, ...TRIGGERS];
    for (const [{ username }, actions] of [
      [USER, ofUser],
      [MANAGED_USER, own],
    ] as const)
      assert.deepEqual(
        await namedBy(username, actions),
        actions.map((action) => `${action} by user ${username}`),
      );
  });
});
