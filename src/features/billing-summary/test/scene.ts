import assert from 'node:assert/strict';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

export { ACCOUNT, STRANGER };
/** An account with real-time rating, in the same profile. */
export const RATED = '0000123456-00003';
export const EID = '89049032000001000000012345678901';
export const ICCID = '89148000000000000011';
export const IMEIS = ['990000000000011', '990000000000045', '990000000000052'] as const;
export const RATED_IMEI = '990000000000060';
/** 7:00 in the time zone of ACCOUNT; its billing month began on the 10th. */
export const NOON = new Date('2026-03-15T12:00:00Z');
export const MARCH = { year: 2026, month: 3 };
export const FEBRUARY = { year: 2026, month: 2 };
export const CYCLE = { from: MARCH, to: MARCH };
export const LABEL = { name: 'VIN', value: '1FTEW1E50KFA00001' };

const since = { planSince: '2025-01-01T00:00:00Z' };

const FLEET = {
  ...SMALL_FLEET,
  accounts: [
    ...SMALL_FLEET.accounts.map((account) =>
      account.accountName === ACCOUNT
        ? { ...account, timeZone: 'America/Chicago', billCycleDay: 10 }
        : account,
    ),
    { accountName: RATED, ecpdId: '9000001', realTimeRating: true },
  ],
  users: [
    ...SMALL_FLEET.users,
    { username: 'rated', password: 'rated-password', accounts: [RATED] },
    { username: 'both', password: 'both-password', accounts: [ACCOUNT, RATED] },
  ],
  plans: [
    ...SMALL_FLEET.plans,
    { code: 'P-RATE', name: 'By the MB', kind: 'payAsYouGo', ratePerMb: 0.1 },
    { code: 'P-FLAT', name: 'Flat', kind: 'unlimited' },
  ],
  devices: [
    {
      accountName: ACCOUNT,
      imei: IMEIS[0],
      iccid: ICCID,
      eid: EID,
      mdn: '5550100001',
      servicePlan: 'P-RATE',
      labels: [LABEL, { name: 'Site', value: 'A' }],
      ...since,
    },
    {
      accountName: ACCOUNT,
      imei: IMEIS[1],
      servicePlan: 'P-FLAT',
      labels: [{ name: 'Site', value: 'A' }],
      ...since,
    },
    { accountName: ACCOUNT, imei: IMEIS[2] },
    { accountName: RATED, imei: RATED_IMEI, servicePlan: 'P-RATE', labels: [LABEL], ...since },
    SMALL_FLEET.devices[1],
  ],
};

export interface Callback {
  readonly requestId: string;
  readonly status: 'Success' | 'Failed';
  readonly deviceIds?: readonly { id: string; kind: string }[];
  readonly faultResponse?: { readonly faultcode: string; readonly faultstring: string };
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came.
  readonly deviceResponse?: any;
}

type Caller = Awaited<ReturnType<typeof asUser>>;

let made = 0;
export const record = (fields: object = {}) => ({
  id: `b${++made}`,
  kind: 'imei',
  device: IMEIS[0],
  at: '2026-03-12T18:00:00Z',
  bytes: 1_048_576,
  ratingGroup: '100',
  apn: 'one.apn',
  countryCode: 'USA',
  ...fields,
});

export interface BillingScene extends World {
  /** Requests the billing data summary of ACCOUNT in MARCH, with changes to the body. */
  ask(body: object, caller?: Caller): ReturnType<Caller['call']>;
  /** Requests it, and returns its callbacks. */
  callbacksFor(body: object, caller?: Caller): Promise<readonly Callback[]>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came.
  summaries(body: object, caller?: Caller): Promise<readonly any[]>;
  readonly user: Caller;
  readonly rated: Caller;
  readonly both: Caller;
  feed(records: readonly object[]): Promise<void>;
  /** Finishes all work, and returns the callbacks of a request. */
  callbacksOf(requestId: string): Promise<readonly Callback[]>;
  emptyLedger(): Promise<void>;
}

export async function makeBillingScene(): Promise<BillingScene> {
  const world = await makeWorld();
  const { db } = world.ctx;
  await world.import(FLEET);
  world.clock.holdAt(NOON);
  const [user, rated, both] = [
    await asUser(world),
    await asUser(world, { username: 'rated', password: 'rated-password' }),
    await asUser(world, { username: 'both', password: 'both-password' }),
  ];
  const ask: BillingScene['ask'] = (body, caller = user) =>
    caller.call('POST', '/m2m/v2/devices/usage/actions/billed', {
      accountName: ACCOUNT,
      lineLevel: false,
      billingCycle: CYCLE,
      ...body,
    });
  const callbacksOf: BillingScene['callbacksOf'] = async (requestId) => {
    await world.engine.settle();
    const messages = await db.many<{ payload: string }>(sql`
      select payload from callback_message where request_id = ${requestId} order by message_id`);
    return messages.map(({ payload }) => JSON.parse(payload) as Callback);
  };
  const callbacksFor: BillingScene['callbacksFor'] = async (body, caller) => {
    const answer = await ask(body, caller);
    assert.equal(answer.statusCode, 200, answer.body);
    return callbacksOf(answer.json().requestId);
  };
  return {
    ...world,
    user,
    rated,
    both,
    ask,
    callbacksOf,
    callbacksFor,
    summaries: async (body, caller) =>
      (await callbacksFor(body, caller)).map(({ deviceResponse }) => deviceResponse.billingUsageSummary),
    async feed(records) {
      const answer = await world.operator(
        'POST',
        '/usage',
        records.map((one) => JSON.stringify(one)).join('\n'),
      );
      assert.equal(answer.json().accepted, records.length, answer.body);
    },
    async emptyLedger() {
      await db.exec(
        sql`truncate usage_record, usage_device_month, usage_account_day, usage_bill_day, usage_ledger_start`,
      );
    },
  };
}
