import assert from 'node:assert/strict';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { RequestLimits } from '../../carrier-requests/index.ts';
import type { WireAction } from '../schemas.ts';

export const GROUP = 7;
export const MB = 1_048_576;
export const PATH = '/m2m/v2/triggers';
export const NO_ID = '7a6d0f5e-9f0a-4c55-8f0e-000000000999';
const MINUTE_MS = 60_000;

/** As the API returns it. */
export interface ListedFiring {
  readonly firingId: string;
  readonly subject: string;
  readonly deviceName?: string;
  readonly accountName: string;
  readonly levelKind: string;
  readonly late: boolean;
  readonly firedAt: string;
  readonly cycle: object;
  readonly before: number;
  readonly after: number;
  readonly usageRecordId: string | null;
  readonly actions: readonly WireAction[];
}

/** The outcome of the first action of each firing. */
export const outcomesOf = (firings: readonly ListedFiring[]) =>
  firings.map(({ actions: [action] }) => [action?.state, action?.reason]);

export const SUSPEND_30 = { suspendDuration: '30', suspendOption: 'WithoutBilling' };

/** The action of a group share on its lines or its pool. */
export const share = (
  kind: 'accountGroupShareIndividual' | 'accountGroupSharePool',
  action: string,
  what: object,
) => ({
  accountGroupShare: {
    [kind]: { filterCriteria: { ratePlanGroupId: GROUP }, condition: { action }, action: what },
  },
});

interface PoolLine {
  readonly n: number;
  readonly of?: 'a' | 'b';
  readonly servicePlan: string;
}

/** One customer of the world, independent of the others. */
const customer = (nth: number) => ({
  ecpdId: String(9_100_000 + nth),
  a: `0000${700_000 + nth}-00001`,
  b: `0000${700_000 + nth}-00002`,
  imei: (n: number) => `99${String(nth).padStart(3, '0')}${String(n).padStart(10, '0')}`,
});
type Customer = ReturnType<typeof customer>;

const lineOf = ({ imei }: Customer, n: number, accountName: string, servicePlan = 'P') => ({
  accountName,
  imei: imei(n),
  servicePlan,
  planSince: '2025-06-01T00:00:00Z',
});

const fleetOf = (customers: readonly Customer[]) => ({
  profiles: [...customers.map(({ ecpdId }) => ({ ecpdId })), { ecpdId: '9000002' }],
  accounts: [
    ...customers.flatMap(({ ecpdId, a, b }) => [
      { accountName: a, ecpdId, timeZone: 'America/Chicago', billCycleDay: 20 },
      { accountName: b, ecpdId },
    ]),
    { accountName: '0000999999-00001', ecpdId: '9000002' },
  ],
  clients: [CLIENT],
  users: [
    { username: 'owner', password: 'owner-password', accounts: customers.flatMap(({ a, b }) => [a, b]) },
    { username: 'stranger', password: 'stranger-password', accounts: ['0000999999-00001'] },
  ],
  plans: [
    { code: 'P', carrierServicePlanCode: 'CARRIER-P', kind: 'payAsYouGo' },
    { code: 'Q', carrierServicePlanCode: 'CARRIER-Q', kind: 'payAsYouGo', suspendWithBilling: true },
    { code: 'S', name: 'Small', carrierServicePlanCode: 'CARRIER-S', kind: 'share', allowanceBytes: MB },
    { code: 'L', name: 'Large', carrierServicePlanCode: 'CARRIER-L', kind: 'share', allowanceBytes: 3 * MB },
  ],
  ratePlanGroups: customers.map(({ ecpdId, a, b }) => ({
    ratePlanGroupId: GROUP,
    ecpdId,
    planCodes: ['S', 'L'],
    accounts: [a, b],
  })),
  devices: customers.flatMap((one) => [
    ...Array.from({ length: 5 }, (_, n) => lineOf(one, n, one.a)),
    ...[500, 501].map((n) => lineOf(one, n, one.b)),
  ]),
});

/**
 * A service with many identical customers: account a has lines 0 to 4 and account b lines 500 and 501, all active on
 * `P`. Each scene is the next customer, at the time at which the world began.
 */
export async function makeActingWorld({
  env = {},
  customers = 12,
  limits,
  elements,
}: {
  readonly env?: NodeJS.ProcessEnv;
  readonly customers?: number;
  readonly limits?: RequestLimits;
  readonly elements?: NonNullable<Parameters<typeof makeWorld>[0]>['elements'];
} = {}) {
  const world = await makeWorld({
    env,
    limits: { ...(limits && { requests: limits }) },
    ...(elements && { elements }),
  });
  const { db } = world.ctx;
  const all = Array.from({ length: customers }, (_, nth) => customer(nth));
  await world.import(fleetOf(all));
  let taken = 0;
  let session: { readonly at: number; readonly user: ReturnType<typeof asUser> } | undefined;
  /** Sessions expire during the days that tests let pass. */
  const asOwner = () => {
    const at = world.clock.now().getTime();
    if (session === undefined || Math.abs(session.at - at) > 10 * MINUTE_MS)
      session = { at, user: asUser(world, { username: 'owner', password: 'owner-password' }) };
    return session.user;
  };

  return async function nextScene({ pool = [] }: { readonly pool?: readonly PoolLine[] } = {}) {
    const own = all[taken++];
    assert.ok(own !== undefined, 'the world has too few customers');
    const { ecpdId, a, b, imei } = own;
    world.clock.holdAt(START);
    if (pool.length > 0)
      await world.import({
        devices: pool.map(({ n, of = 'a', servicePlan }) => lineOf(own, n, own[of], servicePlan)),
      });

    /** More than one megabyte a month by default. */
    const individual = (action: object, condition: object = {}) => ({
      payAsYouGo: {
        filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList: [a, b] },
        condition: {
          conditionType: 'Individual',
          comparator: 'gt',
          threshold: 1,
          thresholdUnit: 'MB',
          cycleType: 'Monthly',
          ...condition,
        },
        action,
      },
    });
    const suspending = (details: object = {}) =>
      individual({ suspend: true, suspendDetails: { ...SUSPEND_30, ...details } });
    const changing = (toCarrierServicePlanCode: string) =>
      individual({ changePlan: true, changePlanDetails: { toCarrierServicePlanCode } });

    let fed = 0;
    /** In the order of creation. */
    const create = async (pricePlanTrigger: object, notificationType = 'PerEvent'): Promise<string> => {
      const notification = { notificationType, callback: true };
      world.pass(1_000);
      const body = { triggerName: 't', ecpdId, pricePlanTrigger, notification };
      const answer = await (await asOwner()).call('POST', PATH, {
        ...body,
        triggerCategory: 'PricePlanDataUsage',
      });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json().triggerId;
    };
    const feed = async (usage: Readonly<Record<number, number>>, at = world.clock.now()) => {
      const records = Object.entries(usage).map(([n, bytes]) => ({
        id: `${ecpdId}-${++fed}`,
        kind: 'imei',
        device: imei(Number(n)),
        at: at.toISOString(),
        bytes: Math.ceil(bytes),
      }));
      const answer = await world.operator('POST', '/usage', records);
      assert.equal(answer.json().accepted, records.length, answer.body);
    };
    const use = async (usage: Readonly<Record<number, number>>, at?: Date) => {
      await feed(usage, at);
      await world.engine.settle();
    };
    const call = async (method: string, path: string, user = 'owner') => {
      const caller =
        user === 'owner' ? asOwner() : asUser(world, { username: user, password: `${user}-password` });
      return (await caller).call(method, `${PATH}${path}`);
    };
    const firingsOf = async (id: string, query = ''): Promise<readonly ListedFiring[]> => {
      const answer = await call('GET', `/${id}/firings${query}`);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json().firings;
    };
    const deviceOf = (n: number) =>
      db.one<{ id: string; state: string; plan: string; since: Date }>(sql`
        select device_id as id, state, service_plan as plan, plan_since as since from device where imei = ${imei(n)}`);
    const statesOf = async (...numbers: number[]) =>
      Promise.all(numbers.map(async (n) => (await deviceOf(n)).state));
    const plansOf = async (...numbers: number[]) =>
      Promise.all(numbers.map(async (n) => (await deviceOf(n)).plan));
    const messages = async (services: readonly string[]) =>
      (
        await db.many<{ payload: string }>(sql`
          select payload from callback_message where ecpd_id = ${ecpdId} and service_name = any(${services}::text[])
          order by created_at, message_id`)
      ).map(({ payload }) => JSON.parse(payload));
    const callbacks = () => messages(['CarrierService', 'ResumeTrackingNotification']);
    const alerts = async () =>
      (await messages(['AlertService'])).map(({ deviceResponse }) => deviceResponse.alertServiceResponse);
    const count = async (table: ReturnType<typeof sql>) =>
      (await db.one<{ n: number }>(sql`select count(*)::int as n from ${table} where ecpd_id = ${ecpdId}`)).n;
    const requests = () => count(sql`carrier_request`);
    /** By a user, not by a trigger. */
    const change = async (n: number, servicePlan: string) => {
      const devices = [{ deviceIds: [{ id: imei(n), kind: 'imei' }] }];
      const body = { accountName: a, servicePlan, devices };
      const answer = await (await asOwner()).call('PUT', '/m2m/v1/devices/actions/plan', body);
      assert.equal(answer.statusCode, 200, answer.body);
      await world.engine.settle();
    };
    return {
      ...own,
      world,
      db,
      individual,
      suspending,
      changing,
      create,
      change,
      feed,
      use,
      call,
      firingsOf,
      deviceOf,
      statesOf,
      plansOf,
      callbacks,
      alerts,
      count,
      requests,
      addLines: (from: number, to: number) =>
        world.import({
          devices: Array.from({ length: to - from }, (_, i) => lineOf(own, from + i, a)),
        }),
    };
  };
}
