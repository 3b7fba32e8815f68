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
import { type Browser, signIn } from './scene.ts';

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
const at = (path: string, account = ACCOUNT) => `/accounts/${account}/triggers${path}`;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const callback = { notificationType: 'PerEvent', callback: true };
const individual = (condition: object = {}, action: object = {}, accountNameList = [ACCOUNT]) => ({
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
async function create(browser: Browser, body: object, account = ACCOUNT): Promise<string> {
  const answer = await browser.send('POST', at('/price-plan', account), body);
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

describe('price plan triggers', () => {
  it('200: are created, changed in a part, switched off and deleted', async () => {
    const triggerId = await create(user, individual());
    const path = at(`/price-plan/${triggerId}`);
    assert.equal((await user.send('PATCH', path, { active: false })).statusCode, 200);
    const read = (await user.get(path)).json();
    assert.deepEqual([read.triggerName, read.active], ['Lines', false]);
    assert.equal(read.pricePlanTrigger.payAsYouGo.condition.threshold, 1);
    assert.equal((await user.send('DELETE', path)).statusCode, 200);
    assert.equal((await user.get(path)).json().code, 'trigger_not_found');
  });

  it('400: are refused with the field at fault', async () => {
    const answer = await user.send('POST', at('/price-plan'), individual({ threshold: 0 }));
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid_trigger']);
    assert.match(answer.json().detail, /^pricePlanTrigger\.payAsYouGo\.condition\.threshold /);
  });

  it('200: come page by page, each once', async () => {
    const made = [await create(user, individual()), await create(user, individual())];
    const seen: string[] = [];
    let page = '';
    do {
      const { triggers, next } = (await user.get(at(`/price-plan?limit=1${page}`))).json();
      seen.push(...triggers.map((one: { triggerId: string }) => one.triggerId));
      page = next === undefined ? '' : `&page=${next}`;
    } while (page !== '');
    assert.deepEqual(seen.sort(), made.sort());
    for (const triggerId of made) await user.send('DELETE', at(`/price-plan/${triggerId}`));
  });

  it('403, 404: of others are not written, read, changed, deleted or looked at for firings', async () => {
    const triggerId = await create(user, individual());
    const path = at(`/price-plan/${triggerId}`, STRANGER);
    assert.equal((await stranger.send('POST', at('/price-plan', STRANGER), individual())).statusCode, 403);
    for (const answer of [
      await stranger.get(path),
      await stranger.send('PATCH', path, { active: false }),
      await stranger.send('DELETE', path),
      await stranger.get(`${path}/firings`),
    ])
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'trigger_not_found'], answer.body);
    assert.equal((await stranger.get(at('/price-plan'))).statusCode, 403);
    await user.send('DELETE', at(`/price-plan/${triggerId}`));
  });

  it('200: on a group share are for those who have all accounts of the profile, and for operators', async () => {
    assert.equal((await user.send('POST', at('/price-plan'), pool)).statusCode, 403);
    const triggerId = await create(operator, pool);
    assert.equal((await user.get(at('/price-plan'))).json().triggers.length, 0);
    assert.equal((await operator.get(at('/price-plan', MANAGED))).json().triggers[0].triggerId, triggerId);
    await operator.send('DELETE', at(`/price-plan/${triggerId}`));
  });

  it('200: can name the plans and groups that there are, and the accounts that the viewer has', async () => {
    const options = (await user.get(at('/options'))).json();
    const namesOf = ({ accounts }: { accounts: { accountName: string }[] }) =>
      accounts.map(({ accountName }) => accountName);
    assert.deepEqual(namesOf(options), [ACCOUNT]);
    assert.deepEqual(namesOf((await sharer.get(at('/options', MANAGED))).json()), [MANAGED]);
    assert.deepEqual(namesOf((await operator.get(at('/options'))).json()), [ACCOUNT, MANAGED]);
    assert.deepEqual(options.groups, [{ id: 7, planCodes: ['P-5MB'] }]);
    assert.deepEqual(options.plans, [{ code: 'P-5MB', name: '5 MB', kind: 'payAsYouGo' }]);
  });
});

describe('firings', () => {
  const suspendDetails = { suspendDuration: '30', suspendOption: 'WithBilling' };

  it('200: say why, wait where many lines would be touched, and are approved by those who see the trigger', async () => {
    const triggerId = await create(
      user,
      individual(
        { conditionType: 'AccountLevel' },
        { suspend: true, suspendDetails: { ...suspendDetails, threshold: 2, thresholdUnit: 'MB' } },
      ),
    );
    await use('990000000000011', 3 * MB);
    const path = at(`/price-plan/${triggerId}/firings`);
    const { firings, next } = (await user.get(`${path}?limit=1`)).json();
    const older = (await user.get(`${path}?limit=1&page=${next}`)).json().firings;
    const both = [...firings, ...older] as {
      firingId: string;
      levelKind: string;
      after: number;
      actions: { state: string }[];
    }[];
    assert.deepEqual(both.map(({ levelKind }) => levelKind).sort(), ['bytes', 'suspendBytes']);
    const waiting = both.find(({ levelKind }) => levelKind === 'suspendBytes')!;
    assert.deepEqual([waiting.after, waiting.actions[0]?.state], [3 * MB, 'awaitingApproval']);
    const judged = (word: string, browser: Browser, account?: string) =>
      browser.send('POST', at(`/firings/${waiting.firingId}/${word}`, account));
    assert.equal((await judged('approve', stranger, STRANGER)).json().code, 'firing_not_found');
    const { key } = (
      await world.operator('POST', '/keys', { name: 'fleeter', scopes: ['read', 'fleet'] })
    ).json();
    assert.equal(
      (await judged('approve', await signIn(world, { operatorKey: key }))).json().code,
      'scope_missing',
    );
    assert.equal((await judged('reject', user)).json().actions[0].state, 'skipped');
    assert.equal((await judged('approve', operator)).json().code, 'nothing_to_approve');
  });

  it('200: are tried on what was used, without writing anything', async () => {
    const period = { from: '2026-01-04', to: '2026-01-05' };
    const before = (await user.get(at('/price-plan'))).json().triggers.length;
    const { triggerName: _, ...tested } = individual();
    const answer = await user.send('POST', at('/backtest'), { ...tested, period });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(
      answer
        .json()
        .firings.map((one: { after: number; action: { type: string } }) => [one.after, one.action.type]),
      [[3 * MB, 'notify']],
    );
    assert.equal((await user.get(at('/price-plan'))).json().triggers.length, before);
    const refused = await user.send('POST', at('/backtest'), {
      ...tested,
      period: { from: '2026-01-05', to: '2026-01-01' },
    });
    assert.equal(refused.json().code, 'invalid_period');
    assert.equal(
      (await stranger.send('POST', at('/backtest', STRANGER), { ...tested, period })).statusCode,
      403,
    );
  });
});

describe('usage triggers', () => {
  it('200: are created, changed, listed with their firings, and deleted', async () => {
    const made = await user.send('POST', at('/usage'), { serviceName: 'location', thresholdValue: '90' });
    const { triggerId } = made.json();
    const path = at(`/usage/${triggerId}`);
    const changed = await user.send('PATCH', path, { triggerName: 'Ninety', thresholdValue: 95 });
    assert.deepEqual([changed.json().triggerName, changed.json().thresholdValue], ['Ninety', '95']);
    assert.deepEqual((await user.get(at('/usage'))).json().triggers.length, 1);
    assert.deepEqual((await user.get(`${path}/firings`)).json(), { firings: [] });
    assert.match((await user.send('PATCH', path, { thresholdValue: 'x' })).json().title, /thresholdValue/);
    assert.equal((await user.send('DELETE', path)).statusCode, 200);
    assert.equal((await user.send('DELETE', at(`/usage/${NOBODY}`))).json().title, 'Trigger not found');
  });

  it('400: of a managed account are for who may use its primary account, and for operators', async () => {
    assert.deepEqual((await sharer.get(at('/usage', MANAGED))).json(), { triggers: [] });
    const made = await operator.send('POST', at('/usage', MANAGED), {
      serviceName: 'Location',
      thresholdValue: '50',
    });
    const path = at(`/usage/${made.json().triggerId}`, MANAGED);
    for (const answer of [
      await sharer.get(at('/usage', MANAGED)),
      await sharer.get(`${path}/firings`),
      await sharer.send('PATCH', path, { thresholdValue: '60' }),
      await sharer.send('DELETE', path),
    ]) {
      assert.equal(answer.statusCode, 400, answer.body);
      assert.match(answer.json().title, /UWS account validation failed/);
    }
    assert.equal((await operator.get(at('/usage', MANAGED))).json().triggers.length, 1);
    assert.equal((await operator.send('DELETE', path)).statusCode, 200);
  });
});
