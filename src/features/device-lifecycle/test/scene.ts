import assert from 'node:assert/strict';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export const TENANT = { ecpdId: '9000001', accountName: ACCOUNT } as never;
export const DAY_MS = 86_400_000;
export const imei = (n: number) => `9966000000${String(n).padStart(5, '0')}`;
export const iccid = (n: number) => `891480000088${String(n).padStart(8, '0')}`;
export const byImei = (...numbers: number[]) =>
  numbers.map((n) => ({ deviceIds: [{ id: imei(n), kind: 'IMEI' }] }));

export const PLANS = [
  ...SMALL_FLEET.plans,
  { code: 'P-50MB', carrierServicePlanCode: '50MB', name: '50 MB', kind: 'payAsYouGo' },
  { code: 'P-HOME', name: 'At home', kind: 'unlimited', fixedLocation: true },
  { code: 'P-ROUTER', name: 'Routers', kind: 'unlimited', models: ['R-1', 'R-2'], suspendWithBilling: true },
];

export const PLACE = {
  address: { addressLine1: '1 Main St', city: 'Grapevine', state: 'TX', zip: '76051', country: 'US' },
  customerName: { firstName: 'Zaffod', lastName: 'Beeblebrox' },
};

const device = (n: number, more: object = {}) => ({
  accountName: ACCOUNT,
  imei: imei(n),
  servicePlan: 'P-5MB',
  ...more,
});

/** 0 to 9 are active, 10 to 14 pre-active, 15 deactive, 20 a router; 30 belongs to the managed account, 40 to a stranger. */
export const LIFECYCLE_FLEET = {
  ...SMALL_FLEET,
  accounts: SMALL_FLEET.accounts.map((account) => ({ ...account, timeZone: 'America/Chicago' })),
  users: [{ ...USER, accounts: [ACCOUNT] }, ...SMALL_FLEET.users.slice(1)],
  plans: PLANS,
  serviceableZips: ['76051'],
  devices: [
    ...Array.from({ length: 10 }, (_, n) => device(n)),
    ...Array.from({ length: 5 }, (_, n) => ({
      accountName: ACCOUNT,
      imei: imei(10 + n),
      state: 'pre-active',
    })),
    device(15, { state: 'deactive' }),
    { accountName: ACCOUNT, imei: imei(20), state: 'pre-active', record: { productmodel: 'R-2' } },
    device(30, { accountName: MANAGED }),
    device(40, { accountName: STRANGER }),
  ],
};

interface Callback {
  readonly service: string;
  readonly requestId: string;
  readonly status: string;
  readonly comment?: string;
  readonly deviceIds: readonly { readonly id: string; readonly kind: string }[];
  readonly deviceResponse: Record<string, Record<string, unknown>>;
  readonly faultResponse: { readonly faultcode: string; readonly faultstring: string };
}

/** A world with lines in every state, and actions on them. */
export async function makeLifecycleScene(fleet: object = LIFECYCLE_FLEET) {
  const world = await makeWorld();
  await world.import(fleet);
  const { db } = world.ctx;
  /** Opens a new session for each call, because tests let days pass. */
  const call = async (method: string, path: string, body?: unknown) =>
    (await asUser(world)).call(method, path, body);
  const ask = (action: string, body: object) => call('POST', `/m2m/v1/devices/${action}`, body);
  const callbacksOf = async (requestId?: string): Promise<Callback[]> => {
    const rows = await db.many<{ service: string; payload: string }>(sql`
      select service_name as service, payload from callback_message
      where ${requestId === undefined ? sql`true` : sql`request_id = ${requestId}`} order by created_at, message_id`);
    return rows.map(({ service, payload }) => ({ service, ...JSON.parse(payload) }));
  };
  /** Sends the request, lets the workers finish, and returns its callbacks. */
  const done = async (action: string, body: object): Promise<Callback[]> => {
    const answer = await ask(action, body);
    assert.equal(answer.statusCode, 200, answer.body);
    const before = (await callbacksOf(answer.json().requestId)).length;
    await world.engine.settle();
    return (await callbacksOf(answer.json().requestId)).slice(before);
  };
  const stateOf = async (n: number) =>
    (await db.maybe<{ state: string }>(sql`select state from device where imei = ${imei(n)}`))?.state;
  const idOf = async (n: number) =>
    (await db.one<{ id: string }>(sql`select device_id as id from device where imei = ${imei(n)}`)).id;
  return { world, db, call, ask, callbacksOf, done, stateOf, idOf };
}
