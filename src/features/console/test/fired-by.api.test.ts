import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { BROWSER, type Browser, signIn } from './scene.ts';

const BOTH = { username: 'both', password: 'both-password' };
const world = await makeWorld();
const { db } = world.ctx;
await world.import({
  ...SMALL_FLEET,
  users: [...SMALL_FLEET.users, { ...BOTH, accounts: [ACCOUNT, MANAGED] }],
});
const [user, both, operator] = [
  await signIn(world, USER),
  await signIn(world, BOTH),
  await signIn(world),
] as const;
const { deviceId } = await db.one<{ deviceId: string }>(
  sql`select device_id as "deviceId" from device where account_name = ${ACCOUNT} limit 1`,
);

const call = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
  const answer = await operator.call(method, path, body, { ...BROWSER, 'x-account-name': ACCOUNT });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const createPricePlan = async (triggerName: string, accountNameList: readonly string[]): Promise<string> =>
  (
    await call('POST', '/m2m/v2/triggers', {
      ecpdId: '9000001',
      triggerCategory: 'PricePlanDataUsage',
      triggerName,
      pricePlanTrigger: {
        payAsYouGo: {
          filterCriteria: { carrierServicePlanCode: 'P-5MB', accountNameList },
          condition: { comparator: 'gt', threshold: 1, thresholdUnit: 'MB', cycleType: 'Daily' },
          action: {},
        },
      },
      notification: { notificationType: 'PerEvent', callback: true },
    })
  ).triggerId;
const createUsage = async (triggerName: string): Promise<string> =>
  (
    await call('POST', '/subsc/v1/usage/triggers', {
      accountName: ACCOUNT,
      triggerName,
      serviceName: 'Location',
      thresholdValue: 50,
    })
  ).triggerId;

/** As if it had fired, for the line of the account. */
async function fire(triggerId: string, kind: 'usage' | 'pricePlan'): Promise<void> {
  await db.exec(sql`
    insert into firing (ecpd_id, trigger_id, subject, level_kind, level, cycle_from, cycle_to, firing_id, kind, account_name,
      counted_before, counted_after, threshold, rule_version, fired_at, late)
    values ('9000001', ${triggerId}, ${kind === 'usage' ? ACCOUNT : deviceId}, 'percent', 50, ${START},
      ${new Date(START.getTime() + 86_400_000)}, ${randomUUID()}, ${kind}, ${ACCOUNT}, 1, 2, 2, 1, ${START}, false)`);
}

const own = await createPricePlan('Own', [ACCOUNT]);
const shared = await createPricePlan('Shared', [ACCOUNT, MANAGED]);
const gone = await createPricePlan('Gone', [ACCOUNT]);
const service = await createUsage('Service');
const goneService = await createUsage('Gone service');
for (const id of [own, shared, gone]) await fire(id, 'pricePlan');
for (const id of [service, goneService]) await fire(id, 'usage');
await call('DELETE', `/m2m/v2/triggers/${gone}`);
await call('DELETE', `/subsc/v1/usage/accounts/${ACCOUNT}/triggers/${goneService}`);

interface Listed {
  readonly triggerId: string;
  readonly triggerName?: string;
  readonly isThere?: boolean;
}
const NAMES = new Map([
  [own, 'Own, true'],
  [shared, 'Shared, true'],
  [gone, 'Gone, false'],
  [service, 'Service, true'],
]);
const LISTS = [
  { path: '/firings', of: [own, shared, gone, service, goneService] },
  { path: '/overview/firings', of: [own, shared, gone, service, goneService] },
  { path: `/devices/${deviceId}/history?kind=firing`, of: [own, shared, gone] },
];

async function read(browser: Browser, path: string): Promise<Listed[]> {
  const answer = await browser.get(`/accounts/${ACCOUNT}${path}`);
  assert.equal(answer.statusCode, 200, answer.body);
  const { firings, latest, events } = answer.json();
  return firings ?? latest ?? events.map(({ firing }: { firing: Listed }) => firing);
}
const told = (listed: readonly Listed[]) =>
  Object.fromEntries(
    listed.map(({ triggerId, triggerName, isThere }) => [
      triggerId,
      triggerName === undefined ? undefined : `${triggerName}, ${isThere}`,
    ]),
  );

describe('what fired', () => {
  it('names its trigger for operators and for who may use all its accounts, and says where it was deleted', async () => {
    for (const browser of [operator, both])
      for (const { path, of } of LISTS)
        assert.deepEqual(
          told(await read(browser, path)),
          Object.fromEntries(of.map((id) => [id, NAMES.get(id)])),
          path,
        );
  });

  it('names no trigger that watches an account which the user may not see', async () => {
    for (const { path, of } of LISTS) {
      const names = told(await read(user, path));
      for (const id of of) assert.equal(names[id], id === shared ? undefined : NAMES.get(id), path);
    }
  });
});
