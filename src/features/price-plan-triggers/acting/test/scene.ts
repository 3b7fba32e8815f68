import assert from 'node:assert/strict';
import { asUser, CLIENT } from '../../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../../test/support/world.ts';
import { sql } from '../../../../platform/db/sql.ts';
import type { WireAction } from '../schemas.ts';

export const OURS = '9000001';
export const A = '0000123456-00001';
export const B = '0000123456-00002';
export const FOREIGN = '0000999999-00001';
export const GROUP = 7;
export const MB = 1_048_576;
export const PATH = '/m2m/v2/triggers';
export const imei = (n: number) => `9944000000${String(n).padStart(5, '0')}`;
export const triggerId = (n: number) => `7a6d0f5e-9f0a-4c55-8f0e-${String(n).padStart(12, '0')}`;

/** As it is answered. */
export interface ListedFiring {
  readonly firingId: string;
  readonly subject: string;
  readonly accountName: string;
  readonly levelKind: string;
  readonly late: boolean;
  readonly firedAt: string;
  readonly cycle: object;
  readonly usageRecordId: string | null;
  readonly actions: readonly WireAction[];
}

/** The first action of each, or of the only one: what became of it. */
export const outcomesOf = (firings: readonly ListedFiring[]) =>
  firings.map(({ actions: [action] }) => [action?.state, action?.reason]);

export const SUSPEND_30 = { suspendDuration: '30', suspendOption: 'WithoutBilling' };

/** Beyond one megabyte a month, unless said otherwise. */
export const individual = (action: object, condition: object = {}) => ({
  payAsYouGo: {
    filterCriteria: { carrierServicePlanCode: 'CARRIER-P', accountNameList: [A, B] },
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
export const suspending = (details: object = {}) =>
  individual({ suspend: true, suspendDetails: { ...SUSPEND_30, ...details } });
export const changing = (toCarrierServicePlanCode: string) =>
  individual({ changePlan: true, changePlanDetails: { toCarrierServicePlanCode } });

/** A of lines 0 on and B of lines 500 on, all active on `P`; lines 900 on share in the pool of the group. */
export async function makeActingScene({
  lines = 5,
  pool = [],
  env = {},
}: {
  lines?: number;
  pool?: readonly { readonly n: number; readonly accountName?: string; readonly servicePlan: string }[];
  env?: NodeJS.ProcessEnv;
} = {}) {
  const world = await makeWorld({ env });
  const { db } = world.ctx;
  const line = (n: number, accountName: string, servicePlan = 'P') => ({
    accountName,
    imei: imei(n),
    servicePlan,
    planSince: '2025-06-01T00:00:00Z',
  });
  await world.import({
    profiles: [{ ecpdId: OURS }, { ecpdId: '9000002' }],
    accounts: [
      { accountName: A, ecpdId: OURS, timeZone: 'America/Chicago', billCycleDay: 20 },
      { accountName: B, ecpdId: OURS },
      { accountName: FOREIGN, ecpdId: '9000002' },
    ],
    clients: [CLIENT],
    users: [
      { username: 'owner', password: 'owner-password', accounts: [A, B] },
      { username: 'stranger', password: 'stranger-password', accounts: [FOREIGN] },
    ],
    plans: [
      { code: 'P', carrierServicePlanCode: 'CARRIER-P', kind: 'payAsYouGo' },
      { code: 'Q', carrierServicePlanCode: 'CARRIER-Q', kind: 'payAsYouGo' },
      { code: 'S', carrierServicePlanCode: 'CARRIER-S', kind: 'share', allowanceBytes: MB },
      { code: 'L', carrierServicePlanCode: 'CARRIER-L', kind: 'share', allowanceBytes: 3 * MB },
    ],
    ratePlanGroups: [{ ratePlanGroupId: GROUP, ecpdId: OURS, planCodes: ['S', 'L'], accounts: [A, B] }],
    devices: [
      ...Array.from({ length: lines }, (_, n) => line(n, A)),
      ...[500, 501].map((n) => line(n, B)),
      ...pool.map(({ n, accountName = A, servicePlan }) => line(n, accountName, servicePlan)),
    ],
  });

  let made = 0;
  let fed = 0;
  /** In the order of creation. */
  const create = async (pricePlanTrigger: object): Promise<string> => {
    const id = triggerId(++made);
    const notification = { notificationType: 'PerEvent', callback: true };
    world.pass(1_000);
    const trigger = { triggerId: id, triggerName: `t${made}`, ecpdId: OURS, pricePlanTrigger, notification };
    await world.import({ pricePlanTriggers: [trigger] });
    return id;
  };
  const feed = async (usage: Readonly<Record<number, number>>, at = world.clock.now()) => {
    const records = Object.entries(usage).map(([n, bytes]) => ({
      id: `r${++fed}`,
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
  /** With a session of its own each time: tests let days pass. */
  const call = async (method: string, path: string, user = 'owner') =>
    (await asUser(world, { username: user, password: `${user}-password` })).call(method, `${PATH}${path}`);
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
  const told = async () =>
    (
      await db.many<{ service: string; payload: string }>(sql`
        select service_name as service, payload from callback_message
        where service_name in ('CarrierService', 'ResumeTrackingNotification') order by created_at, message_id`)
    ).map(({ payload }) => JSON.parse(payload));
  const requests = async () =>
    (await db.one<{ n: number }>(sql`select count(*)::int as n from carrier_request`)).n;
  /** By whoever may, and not by a trigger. */
  const change = async (n: number, servicePlan: string) => {
    const user = await asUser(world, { username: 'owner', password: 'owner-password' });
    const devices = [{ deviceIds: [{ id: imei(n), kind: 'imei' }] }];
    const body = { accountName: A, servicePlan, devices };
    const answer = await user.call('PUT', '/m2m/v1/devices/actions/plan', body);
    assert.equal(answer.statusCode, 200, answer.body);
    await world.engine.settle();
  };
  return {
    world,
    db,
    create,
    change,
    feed,
    use,
    call,
    firingsOf,
    deviceOf,
    statesOf,
    plansOf,
    told,
    requests,
  };
}
