import assert from 'node:assert/strict';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { byImei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

export const CHILD_IMEI = '990000000000037';
const AGGREGATED = 'SVC-LOC-COARSE-CellID-Aggr';

/** An account with ten positions and twenty updates a month, and an account that is billed to it. */
export async function makeTriggerScene() {
  const world = await makeWorld();
  await world.import({
    ...LOCATION_FLEET,
    accounts: SMALL_FLEET.accounts.map((account) => ({ ...account, locationRegistered: true })),
    users: [...LOCATION_FLEET.users, { username: 'child', password: 'child-password', accounts: [MANAGED] }],
    devices: [
      ...LOCATION_FLEET.devices,
      {
        accountName: MANAGED,
        imei: CHILD_IMEI,
        mdn: '5550100037',
        servicePlan: 'P-5MB',
        simulation: { position: { lat: 1, lon: 2 } },
      },
    ],
    subscriptions: [
      { accountName: ACCOUNT, serviceName: 'Location', skuName: AGGREGATED, allowance: 10 },
      { accountName: ACCOUNT, serviceName: 'fota', skuName: 'fota', allowance: 20 },
    ],
    managedAccounts: [
      {
        accountName: MANAGED,
        paccountName: ACCOUNT,
        serviceName: 'Location',
        type: AGGREGATED,
        state: 'provisioned',
      },
    ],
  });
  const CHILD = { username: 'child', password: 'child-password' };
  let [owner, managed] = [await asUser(world), await asUser(world, CHILD)];
  /** Tokens and sessions expire within a month. */
  const goTo = async (at: Date) => {
    world.clock.holdAt(at);
    [owner, managed] = [await asUser(world), await asUser(world, CHILD)];
  };
  const pass = (ms: number) => goTo(new Date(world.clock.now().getTime() + ms));
  const call: typeof owner.call = (...request) => owner.call(...request);
  const child = { call: ((...request) => managed.call(...request)) satisfies typeof owner.call };

  const create = (body: object, by = call) =>
    by('POST', '/subsc/v1/usage/triggers', {
      accountName: ACCOUNT,
      serviceName: 'Location',
      thresholdValue: '50',
      ...body,
    });
  const made = async (body: object) => {
    const answer = await create(body);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  const locate = (...devices: number[]) =>
    call('POST', '/loc/v1/locations', {
      accountName: ACCOUNT,
      cacheMode: '2',
      deviceList: byImei(...devices),
    });
  const locateChild = () =>
    child.call('POST', '/loc/v1/locations', {
      accountName: MANAGED,
      cacheMode: '2',
      deviceList: [{ id: CHILD_IMEI, kind: 'IMEI' }],
    });
  let fed = 0;
  const update = (count: number, at = world.clock.now().toISOString()) =>
    world.operator(
      'POST',
      '/usage',
      Array.from({ length: count }, () => ({
        id: `f${++fed}`,
        kind: 'imei',
        device: SMALL_FLEET.devices[0]!.imei,
        at,
        bytes: 100,
        serviceName: 'fota',
      })),
    );
  /** Firings of usage triggers have no actions. */
  const firings = async (triggerId: string) =>
    (await world.operator('GET', `/firings?triggerId=${triggerId}`))
      .json()
      .map(({ actions, ...firing }: { actions: unknown[] }) => firing);
  const month = () => world.clock.now().toISOString().slice(0, 7);
  const removeAll = async () => {
    for (const { triggerId } of (await call('GET', `/subsc/v1/usage/accounts/${ACCOUNT}/triggers`)).json())
      await call('DELETE', `/subsc/v1/usage/accounts/${ACCOUNT}/triggers/${triggerId}`);
  };
  /** For tests that each begin with an unused month. */
  const newMonth = async () => {
    await removeAll();
    const now = world.clock.now();
    await goTo(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10)));
  };
  return {
    world,
    goTo,
    pass,
    call,
    child,
    create,
    made,
    locate,
    locateChild,
    update,
    firings,
    newMonth,
    month,
  };
}
