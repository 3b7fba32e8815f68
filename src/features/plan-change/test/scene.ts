import assert from 'node:assert/strict';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { RequestLimits } from '../../carrier-requests/index.ts';
import { callbacksOf } from '../../carrier-requests/test/scene.ts';

export const PATH = '/m2m/v1/devices/actions/plan';
export const imei = (n: number) => `9955000000${String(n).padStart(5, '0')}`;
export const iccid = (n: number) => `891480000099${String(n).padStart(8, '0')}`;
export const byImei = (...numbers: number[]) =>
  numbers.map((n) => ({ deviceIds: [{ id: imei(n), kind: 'imei' }] }));

export const ADDRESS = {
  addressLine1: '9868 Scranton Road',
  city: 'Grapevine',
  state: 'tx',
  zip: '76051',
  country: 'US',
};
export const NAME = { firstName: 'Zaffod', lastName: 'Beeblebrox' };
export const PLACE = { address: ADDRESS, customerName: NAME };
export const addressed = (n: number, primaryPlaceOfUse: object = PLACE) => ({
  deviceIds: [{ id: imei(n), kind: 'imei' }],
  primaryPlaceOfUse,
});

export const PLANS = [
  ...SMALL_FLEET.plans,
  { code: 'P-50MB', kind: 'payAsYouGo' },
  { code: 'P-SHARE', kind: 'share', carrierServicePlanCode: 'C-SHARE' },
  { code: 'P-M1', kind: 'payAsYouGo', models: ['M1'] },
  { code: 'P-FIXED', kind: 'unlimited', fixedLocation: true },
  { code: 'P-ROAM', kind: 'unlimited', fixedLocation: false },
];

/** Devices are active, on P-5MB and numbered from 0; `special` gives further fields to some. */
export async function makePlanScene(
  count: number,
  {
    special = {},
    account = {},
    limits,
  }: { special?: Record<number, object>; account?: object; limits?: RequestLimits } = {},
) {
  const world = await makeWorld({ limits: { ...(limits && { requests: limits }) } });
  const device = (accountName: string, n: number) => ({
    accountName,
    imei: imei(n),
    iccid: iccid(n),
    servicePlan: 'P-5MB',
    planSince: '2025-06-01T00:00:00Z',
    ...special[n],
  });
  await world.import({
    ...SMALL_FLEET,
    accounts: SMALL_FLEET.accounts.map((one) => (one.accountName === ACCOUNT ? { ...one, ...account } : one)),
    plans: PLANS,
    serviceableZips: ['76051'],
    devices: [
      ...Array.from({ length: count }, (_, n) => device(ACCOUNT, n)),
      device(MANAGED, 90_000),
      device(STRANGER, 91_000),
    ],
  });
  /** One session per clock time: tests let weeks pass, and logins are limited. */
  const sessions = new Map<number, ReturnType<typeof asUser>>();
  const session = () => {
    const at = world.clock.now().getTime();
    const known = sessions.get(at) ?? asUser(world);
    sessions.set(at, known);
    return known;
  };
  const call = async (body: unknown, method = 'PUT') => (await session()).call(method, PATH, body);
  const request = async (body: object, method?: string): Promise<string> => {
    const answer = await call({ accountName: ACCOUNT, ...body }, method);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().requestId;
  };
  const change = async (body: object, method?: string) => {
    const requestId = await request(body, method);
    await world.engine.settle();
    return callbacksOf(world, requestId);
  };
  const deviceOf = (n: number) =>
    world.ctx.db.one<{ deviceId: string; plan: string; since: Date; place: object | null }>(sql`
      select d.device_id as "deviceId", d.service_plan as plan, d.plan_since as since, u.place
      from device d left join device_place_of_use u on u.ecpd_id = d.ecpd_id and u.device_id = d.device_id
      where d.imei = ${imei(n)}`);
  /** Works as three processes do, each with its own connections. */
  const workTogether = async () => {
    const others = await Promise.all([1, 2].map(() => makeWorld({ databaseUrl: world.databaseUrl })));
    for (const { clock } of others) clock.holdAt(world.clock.now());
    await Promise.all([world, ...others].map(({ engine }) => engine.settle()));
  };
  return { world, call, request, change, deviceOf, workTogether };
}
