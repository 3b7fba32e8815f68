import assert from 'node:assert/strict';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { ListedFiring } from './scene.ts';

export const MB = 1_048_576;
const GROUP = 7;
const MINUTE_MS = 60_000;

interface Used {
  readonly mb: number;
  readonly at?: string;
  readonly line?: number;
  readonly chargeAmount?: number;
}

export interface MovedFiring extends ListedFiring {
  readonly level: number;
  readonly cause?: string;
}

const customer = (nth: number) => ({
  ecpdId: String(9_200_000 + nth),
  a: `0000${800_000 + nth}-00001`,
  b: `0000${800_000 + nth}-00002`,
  imei: (n: number) => `98${String(nth).padStart(3, '0')}${String(n).padStart(10, '0')}`,
});

/** Small, medium and large plans with a shared allowance, and one that is not shared. */
const PLANS = [
  { code: 'S1', carrierServicePlanCode: 'C-1', kind: 'share', allowanceBytes: 10 * MB, ratePerMb: 0.1 },
  { code: 'S2', carrierServicePlanCode: 'C-2', kind: 'share', allowanceBytes: 15 * MB, ratePerMb: 0.2 },
  { code: 'S3', carrierServicePlanCode: 'C-3', kind: 'share', allowanceBytes: 24 * MB, ratePerMb: 0.4 },
  { code: 'X', carrierServicePlanCode: 'C-X', kind: 'payAsYouGo', ratePerMb: 1 },
];

const share = (kind: string, action: string, what: object) => ({
  accountGroupShare: {
    [kind]: { filterCriteria: { ratePlanGroupId: GROUP }, condition: { action }, action: what },
  },
});

/** Moves lines that reached a percentage of their own plan to another plan, backdated to the start of the cycle. */
export const backDating = (...moves: readonly (readonly [from: string, to: string, percent: number])[]) =>
  share('accountGroupShareIndividual', 'changePricePlan', {
    changePlan: {
      triggerDate: 'BackDate',
      sharePlan: moves.map(([fromCarrierCode, toCarrierCode, criteriaPercentage]) => ({
        fromCarrierCode,
        toCarrierCode,
        criteriaPercentage,
      })),
    },
  });

/** Notifies when a line reaches a percentage of its plan. */
export const notifying = (carrierCode: string, percent: 50 | 75 | 90 | 100) =>
  share('accountGroupShareIndividual', 'notify', {
    notify: {
      alertType: 'individualpriceplan',
      threshold: [{ carrierCode, percentage: { [`percentage${percent}`]: true } }],
    },
  });

export const poolMoving = (
  direction: 'changePlanGT' | 'changePlanLT',
  from: string,
  to: string,
  buffer = 0,
) =>
  share('accountGroupSharePool', 'changePricePlan', {
    automation: 'customerAutomation',
    changePlan: {
      [direction]: {
        changePlan: [{ fromCarrierCode: from, toCarrierCode: to }],
        dataPoolOverageBuffer: buffer,
        triggerDate: 'BackDate',
      },
    },
  });

/**
 * A service with identical customers: account a, whose bill cycle begins on `billCycleDay` and whose lines have long
 * been on S1, and account b of the same group. Each scene is the next customer, on Monday the 12th of January.
 */
export async function makeBackDateWorld({ customers = 12, lines = 4, billCycleDay = 1 } = {}) {
  const world = await makeWorld();
  const { db } = world.ctx;
  const all = Array.from({ length: customers }, (_, nth) => customer(nth));
  await world.import({
    profiles: all.map(({ ecpdId }) => ({ ecpdId })),
    accounts: all.flatMap(({ ecpdId, a, b }) => [
      { accountName: a, ecpdId, billCycleDay },
      { accountName: b, ecpdId, billCycleDay: 15 },
    ]),
    clients: [CLIENT],
    users: [{ username: 'owner', password: 'owner-password', accounts: all.flatMap(({ a, b }) => [a, b]) }],
    plans: PLANS,
    ratePlanGroups: all.map(({ ecpdId, a, b }) => ({
      ratePlanGroupId: GROUP,
      ecpdId,
      planCodes: ['S1', 'S2', 'S3'],
      accounts: [a, b],
    })),
    devices: all.flatMap(({ a, b, imei }) =>
      [...Array.from({ length: lines }, (_, n) => n), 900].map((n) => ({
        accountName: n < 900 ? a : b,
        imei: imei(n),
        servicePlan: 'S1',
        planSince: '2025-06-01T00:00:00Z',
      })),
    ),
  });
  let taken = 0;
  let session: { readonly at: number; readonly user: ReturnType<typeof asUser> } | undefined;
  /** Sessions expire during the days that tests let pass. */
  const asOwner = () => {
    const at = world.clock.now().getTime();
    if (session === undefined || Math.abs(session.at - at) > 10 * MINUTE_MS)
      session = { at, user: asUser(world, { username: 'owner', password: 'owner-password' }) };
    return session.user;
  };

  return function nextScene() {
    const own = all[taken++];
    assert.ok(own !== undefined, 'the world has too few customers');
    const { ecpdId, a, imei } = own;
    const at = (time: string) => world.clock.holdAt(new Date(time));
    at('2026-01-12T12:00:00Z');
    let fed = 0;

    const call = async (method: string, path: string, body?: object) => {
      const answer = await (await asOwner()).call(method, path, body);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json();
    };
    const create = async (pricePlanTrigger: object, notificationType = 'PerEvent'): Promise<string> => {
      world.pass(1_000);
      const { triggerId } = await call('POST', '/m2m/v2/triggers', {
        triggerName: 't',
        ecpdId,
        triggerCategory: 'PricePlanDataUsage',
        pricePlanTrigger,
        notification: { notificationType, callback: true },
      });
      return triggerId;
    };
    const feed = async (...used: readonly Used[]) => {
      const records = used.map(({ mb, at: time, line = 0, chargeAmount }) => ({
        id: `${ecpdId}-${++fed}`,
        kind: 'imei',
        device: imei(line),
        at: time ?? world.clock.now().toISOString(),
        bytes: mb * MB,
        ...(chargeAmount !== undefined && { chargeAmount }),
      }));
      const answer = await world.operator('POST', '/usage', records);
      assert.equal(answer.json().accepted, records.length, answer.body);
    };
    const deviceOf = (n = 0) =>
      db.one<{ id: string; state: string; plan: string; since: Date }>(sql`
        select device_id as id, state, service_plan as plan, plan_since as since from device where imei = ${imei(n)}`);
    /** Usage of a line or account on each plan, by day; zeros are left out. */
    const daysOf = async (table: 'line' | 'account', n = 0) => {
      const rows = await db.many<{ day: string; plan: string; mb: number }>(
        table === 'line'
          ? sql`select to_char(month + (n - 1)::int, 'MM-DD') as day, plan_code as plan, (bytes / ${MB})::int as mb
                from usage_device_month, unnest(day_bytes) with ordinality as d (bytes, n)
                where device_id = ${(await deviceOf(n)).id} and bytes <> 0 order by 1, 2`
          : sql`select to_char(day, 'MM-DD') as day, plan_code as plan, (bytes / ${MB})::int as mb from usage_account_day
                where account_name = ${a} and bytes <> 0 order by 1, 2`,
      );
      return rows.map(({ day, plan, mb }) => `${day} ${plan} ${mb}`);
    };
    const differences = async () => {
      const found: unknown[] = [];
      for (let page: string | undefined = ''; page !== undefined; ) {
        const answer = await world.operator('GET', `/usage/differences?accountName=${a}${page}`);
        found.push(...answer.json().differences);
        const next = answer.headers['x-next'];
        page = next === undefined ? undefined : `&page=${next}`;
      }
      return found;
    };
    const billOf = async (year: number, month: number): Promise<number> => {
      const billingCycle = { from: { year, month }, to: { year, month } };
      const body = { accountName: a, lineLevel: false, billingCycle };
      const { requestId } = await call('POST', '/m2m/v2/devices/usage/actions/billed', body);
      await world.engine.settle();
      const { payload } = await db.one<{ payload: string }>(
        sql`select payload from callback_message where request_id = ${requestId}`,
      );
      return JSON.parse(payload).deviceResponse.billingUsageSummary.totalBilledAmount;
    };
    const change = async (servicePlan: string, n = 0) => {
      world.pass(1_000);
      const devices = [{ deviceIds: [{ id: imei(n), kind: 'imei' }] }];
      await call('PUT', '/m2m/v1/devices/actions/plan', { accountName: a, servicePlan, devices });
      await world.engine.settle();
    };
    const messages = async (service: string) =>
      (
        await db.many<{ payload: string }>(sql`
          select payload from callback_message where ecpd_id = ${ecpdId} and service_name = ${service}
          order by created_at, message_id`)
      ).map(({ payload }) => JSON.parse(payload));
    return {
      ...own,
      tenant: { ecpdId, accountName: a } as Tenant,
      world,
      db,
      at,
      call,
      create,
      feed,
      use: async (...used: readonly Used[]) => {
        await feed(...used);
        await world.engine.settle();
      },
      deviceOf,
      plansOf: async (...numbers: number[]) =>
        Promise.all(numbers.map(async (n) => (await deviceOf(n)).plan)),
      daysOf,
      differences,
      billOf,
      change,
      messages,
      alerts: async () =>
        (await messages('AlertService')).map(({ deviceResponse }) => deviceResponse.alertServiceResponse),
      firingsOf: async (id: string): Promise<readonly MovedFiring[]> =>
        (await call('GET', `/m2m/v2/triggers/${id}/firings`)).firings,
      /** Moves the clock, and runs what becomes due. */
      liveTo: async (time: string) => {
        const answer = await world.operator('POST', '/clock', { set: time });
        assert.equal(answer.statusCode, 200, answer.body);
        at(time);
      },
    };
  };
}
