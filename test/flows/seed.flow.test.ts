import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UUID_SHAPE } from '../../src/kernel/uuid.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld, type World } from '../support/world.ts';

const IMEI = '990000000000011';
const FLEET = {
  ...SMALL_FLEET,
  userProfiles: [{ accountName: ACCOUNT, email: 'ann@acme.example' }],
  rules: [
    {
      ...{ accountName: ACCOUNT, deviceImei: IMEI, name: 'Hot', rulesyntax: 'json' },
      rulechain: { field: 'temperature', operator: 'gt', value: 30 },
    },
  ],
};
const trigger = {
  triggerName: 'Beyond a kilobyte',
  pricePlanTrigger: {
    payAsYouGo: {
      filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList: [ACCOUNT] },
      condition: {
        ...{ conditionType: 'Individual', comparator: 'gt', threshold: 1, thresholdUnit: 'KB' },
        cycleType: 'Daily',
      },
      action: { suspend: false, changePlan: false },
    },
  },
  notification: { notificationType: 'PerEvent', callback: true },
};

type Heard = Pick<Awaited<ReturnType<World['operator']>>, 'statusCode' | 'body' | 'headers'>;

/** All answers and callbacks about a little of everything, where the service makes up every id. */
async function tell(seed: string | undefined): Promise<readonly string[]> {
  const world = await makeWorld({ env: { LINEKEEPER_SIMULATOR_SEED: seed } });
  const told: string[] = [];
  const hear = async (answer: PromiseLike<Heard>) => {
    const { statusCode, body, headers } = await answer;
    assert.ok(statusCode < 300, body);
    told.push(`${statusCode} ${headers['x-request-id']} ${body}`);
  };
  const settle = async () => {
    for (const engine of [world.engine, world.watcher]) await engine.settle();
  };
  await hear(world.operator('POST', '/import', FLEET));
  const { call, token, sessionToken } = await asUser(world);
  told.push(token, sessionToken);
  const at = new Date(world.clock.now().getTime() - 1_000).toISOString();
  const device = { deviceIds: [{ id: IMEI, kind: 'imei' }] };
  await hear(world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] }));
  await hear(call('POST', '/m2m/v2/triggers', trigger));
  await settle();
  await hear(world.operator('POST', '/usage', [{ id: 'u1', kind: 'imei', device: IMEI, at, bytes: 2_048 }]));
  await hear(
    world.operator('POST', '/readings', [{ kind: 'imei', device: IMEI, at, values: { temperature: 40 } }]),
  );
  const locating = { accountName: ACCOUNT, accuracyMode: '0', cacheMode: '2', deviceList: device.deviceIds };
  await hear(call('POST', '/loc/v1/locations', locating));
  await hear(
    call('POST', '/m2m/v1/devices/actions/suspend', { accountName: ACCOUNT, devices: [device] }) as never,
  );
  await settle();
  for (const list of ['export', 'firings', 'callbacks', 'jobs', 'audit'])
    await hear(world.operator('GET', `/${list}`));
  await hear(call('POST', '/dm/v1/smartAlerts/actions/query', { accountname: ACCOUNT }));
  await hear(world.operator('POST', '/users/ws-user/password'));
  return told;
}

const idsIn = (told: readonly string[]) => new Set(told.join().match(new RegExp(UUID_SHAPE, 'g')));

describe('a seed', () => {
  // proves clock/seed
  it('determines everything that is generated: two worlds with the same seed give the same', async () => {
    const [one, other] = await Promise.all([tell('7'), tell('7')]);
    assert.ok(idsIn(one).size > 25, `${idsIn(one).size} ids`);
    assert.deepEqual(other, one);
  });

  it('generates everything differently if it is another one or absent', async () => {
    const made = (await Promise.all([tell('7'), tell('8'), tell(undefined), tell(undefined)])).map(idsIn);
    const all = made.reduce((some, others) => some.union(others));
    assert.equal(
      all.size,
      made.reduce((sum, { size }) => sum + size, 0),
    );
  });
});
