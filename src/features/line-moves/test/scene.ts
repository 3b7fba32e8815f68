import assert from 'node:assert/strict';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export const NOON = new Date('2026-03-10T12:00:00Z');

/** Names for one line with much data, two accounts of its customer and one of another customer. Unique for each scene. */
function fleetOf(n: number) {
  const nth = String(n).padStart(2, '0');
  const names = {
    PROFILE: `80000${nth}`,
    ACCOUNT: `00001234${nth}-00001`,
    MANAGED: `00001234${nth}-00002`,
    STRANGER: `00009999${nth}-00009`,
    IMEI: `9900000000000${nth}`,
    MDN: `55501000${nth}`,
    /** A user of both accounts. */
    USER: { username: `both-${nth}`, password: 'a-good-password' },
    /** A user of the second account only. */
    GUEST: { username: `guest-${nth}`, password: 'a-good-password' },
  };
  const { PROFILE, ACCOUNT, MANAGED, STRANGER, IMEI, MDN, USER, GUEST } = names;
  const account = (accountName: string, ecpdId = PROFILE) => ({
    ...{ accountName, ecpdId, locationRegistered: true, aggregatedBilling: true },
  });
  const assigned = (skuNumber: string) => ({ accountName: ACCOUNT, skuNumber, imei: IMEI });
  const fleet = {
    profiles: [{ ecpdId: PROFILE }, { ecpdId: `90000${nth}` }],
    accounts: [account(ACCOUNT), account(MANAGED), account(STRANGER, `90000${nth}`)],
    clients: [CLIENT],
    users: [
      { ...USER, accounts: [ACCOUNT, MANAGED] },
      { ...GUEST, accounts: [MANAGED] },
    ],
    plans: [
      { code: 'P-5MB', kind: 'payAsYouGo', allowanceBytes: 5_242_880 },
      { code: 'P-NEW', kind: 'payAsYouGo' },
      { code: 'P-ROUTER', kind: 'unlimited', models: ['R-1'] },
    ],
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
    ],
    licenses: [
      { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT-Lt', purchased: 3 },
      { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT', purchased: 2 },
    ],
    licenseAssignments: [assigned('SIMSec-IoT-Lt'), assigned('SIMSec-IoT')],
  };
  return { names, fleet };
}

interface Callback {
  readonly account: string;
  readonly status?: string;
  readonly faultResponse?: { readonly faultcode: string };
}

/** Scenes one after the other in one world. Each has its own customer and starts at noon. */
export async function openMoveWorld() {
  const world = await makeWorld({ settings: { loginsPerMinute: 0 } });
  let made = 0;
  return async () => {
    world.clock.holdAt(NOON);
    const { names, fleet } = fleetOf(++made);
    await world.import(fleet);
    return openScene(world, names);
  };
}
export type Scene = Awaited<ReturnType<Awaited<ReturnType<typeof openMoveWorld>>>>;

function openScene(world: World, names: ReturnType<typeof fleetOf>['names']) {
  const { db } = world.ctx;
  const { PROFILE, ACCOUNT, MANAGED, IMEI, USER } = names;
  const NAMED = [{ deviceIds: [{ id: IMEI, kind: 'imei' }] }];
  const caller = async (user: object = USER) => (await asUser(world, user)).call;

  const move = (accountName: string, id = IMEI) =>
    world.operator('POST', `/devices/imei/${id}/move`, JSON.stringify({ accountName }));
  const moved = async (accountName: string, id = IMEI) => {
    const answer = await move(accountName, id);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  const callbacksOf = (requestId: string) =>
    db
      .many<{ account: string; payload: string }>(sql`
        select account_name as account, payload from callback_message where request_id = ${requestId} order by message_id`)
      .then((rows) => rows.map(({ account, payload }): Callback => ({ account, ...JSON.parse(payload) })));
  /** Makes the request, lets the workers finish, and returns the callbacks. */
  const done = async (action: string, body: object, user: object = USER): Promise<readonly Callback[]> => {
    const answer = await (await caller(user))('POST', `/m2m/v1/devices/actions/${action}`, body);
    assert.equal(answer.statusCode, 200, answer.body);
    await world.engine.settle();
    return callbacksOf(answer.json().requestId);
  };
  const deactivated = () => done('deactivate', { accountName: ACCOUNT, devices: NAMED, reasonCode: 'FF' });
  const activated = (servicePlan = 'P-5MB', user: object = USER) =>
    done('activate', { accountName: MANAGED, servicePlan, mdnZipCode: '10001', devices: NAMED }, user);
  const feed = async (records: readonly object[]) => {
    const lines = records.map((record, n) =>
      JSON.stringify({ id: `${IMEI}-${++fed}-${n}`, kind: 'imei', device: IMEI, bytes: 1_000, ...record }),
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
          select account_name || ' ' || plan_code as name, sum(bytes)::float8 as bytes from usage_account_day
          where account_name = any(${[ACCOUNT, MANAGED, names.STRANGER]}::text[]) group by 1 order by 1`)
      ).map(({ name, bytes }) => [name, bytes]),
    );
  const ownerOf = async (id = IMEI) =>
    (
      await db.maybe<{ accountName: string }>(
        sql`select account_name as "accountName" from device where imei = ${id}`,
      )
    )?.accountName;
  const differences = async (): Promise<unknown[]> => {
    const of = async (name: string) =>
      (await world.operator('GET', `/usage/differences?accountName=${name}`)).json().differences;
    return [...(await of(ACCOUNT)), ...(await of(MANAGED))];
  };
  const shown = async () => (await world.operator('GET', `/devices/imei/${IMEI}`)).json();
  return {
    ...names,
    ...{
      PROFILE,
      NAMED,
      world,
      db,
      caller,
      move,
      moved,
      done,
      deactivated,
      activated,
      feed,
      counted,
      differences,
    },
    ...{ ownerOf, shown },
  };
}
