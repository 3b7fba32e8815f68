import assert from 'node:assert/strict';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export const IMEI = '990000000000011';
export const MDN = '5550100001';
export const NOON = new Date('2026-03-10T12:00:00Z');
/** May use the second account alone. */
export const GUEST = { username: 'guest', password: 'guest-password' };

const FLEET = {
  ...SMALL_FLEET,
  accounts: SMALL_FLEET.accounts.map((account) => ({ ...account, locationRegistered: true })),
  users: [
    { ...USER, accounts: [ACCOUNT, MANAGED] },
    { ...GUEST, accounts: [MANAGED] },
    ...SMALL_FLEET.users.slice(1),
  ],
  plans: [...SMALL_FLEET.plans, { code: 'P-ROUTER', kind: 'unlimited', models: ['R-1'] }],
  devices: [
    {
      accountName: ACCOUNT,
      imei: IMEI,
      mdn: MDN,
      servicePlan: 'P-5MB',
      planSince: '2026-01-01T00:00:00Z',
      labels: [{ name: 'van', value: '7' }],
      record: { customdata: { colour: 'red' } },
      simulation: { online: true, position: { lat: 40, lon: -74 } },
    },
    ...SMALL_FLEET.devices.slice(1),
  ],
  licenses: [
    { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT-Lt', purchased: 3 },
    { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT', purchased: 2 },
  ],
  licenseAssignments: [
    { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT-Lt', imei: IMEI },
    { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT', imei: IMEI },
  ],
};

interface Told {
  readonly account: string;
  readonly status?: string;
  readonly faultResponse?: { readonly faultcode: string };
}

/** One line with much about it, two accounts of its customer, and one of another. */
export async function makeMoveScene(more: object = {}) {
  const world = await makeWorld({ settings: { loginsPerMinute: 0 } });
  const { db } = world.ctx;
  world.clock.holdAt(NOON);
  await world.import({ ...FLEET, ...more });
  const caller = async (user: object = USER) => (await asUser(world, user)).call;

  const move = (accountName: string, id = IMEI) =>
    world.operator('POST', `/devices/imei/${id}/move`, JSON.stringify({ accountName }));
  const moved = async (accountName: string, id = IMEI) => {
    const answer = await move(accountName, id);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  const told = (requestId: string) =>
    db
      .many<{ account: string; payload: string }>(sql`
        select account_name as account, payload from callback_message where request_id = ${requestId} order by message_id`)
      .then((rows) => rows.map(({ account, payload }): Told => ({ account, ...JSON.parse(payload) })));
  /** Asks, lets the workers finish, and answers what the listener is told. */
  const done = async (action: string, body: object, user: object = USER): Promise<readonly Told[]> => {
    const answer = await (await caller(user))('POST', `/m2m/v1/devices/actions/${action}`, body);
    assert.equal(answer.statusCode, 200, answer.body);
    await world.engine.settle();
    return told(answer.json().requestId);
  };
  const deactivated = (accountName = ACCOUNT) =>
    done('deactivate', { accountName, devices: NAMED, reasonCode: 'FF' });
  const feed = async (records: readonly object[]) => {
    const lines = records.map((record, n) =>
      JSON.stringify({ id: `r${++fed}-${n}`, kind: 'imei', device: IMEI, bytes: 1_000, ...record }),
    );
    const answer = await world.operator('POST', '/usage', lines.join('\n'));
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  let fed = 0;
  /** Bytes by account and plan. */
  const counted = async () =>
    Object.fromEntries(
      (
        await db.many<{ name: string; bytes: number }>(sql`
          select account_name || ' ' || plan_code as name, sum(bytes)::float8 as bytes from usage_account_day group by 1 order by 1`)
      ).map(({ name, bytes }) => [name, bytes]),
    );
  const ownerOf = async (id = IMEI) =>
    (
      await db.maybe<{ accountName: string }>(
        sql`select account_name as "accountName" from device where imei = ${id}`,
      )
    )?.accountName;
  return { world, db, caller, move, moved, done, deactivated, feed, counted, ownerOf };
}

export const NAMED = [{ deviceIds: [{ id: IMEI, kind: 'imei' }] }];
export const activation = (accountName: string, servicePlan = 'P-5MB') => ({
  accountName,
  servicePlan,
  mdnZipCode: '10001',
  devices: NAMED,
});
export { ACCOUNT, MANAGED, STRANGER };
