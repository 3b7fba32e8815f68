import { ACCOUNT, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import type { Difference } from '../sums/sql-reconcile.ts';

export { ACCOUNT, MANAGED };
export const IMEI = '990000000000011';
export const STRANGERS_IMEI = '990000000000029';
export const BARE_IMEI = '990000000000037';
export const ECPD = '9000001';

/** Noon of 15 January 2026 in UTC, and 6 in the morning in the zone of ACCOUNT. */
export const NOON = new Date('2026-01-15T12:00:00Z');

export interface Fed {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly { line: number; reason: string }[];
  readonly rejectedTotal: number;
}

let made = 0;
export const record = (fields: object = {}) => ({
  id: `r${++made}`,
  kind: 'imei',
  device: IMEI,
  at: '2026-01-15T08:00:00Z',
  bytes: 1_000,
  ...fields,
});

export const ndjson = (records: readonly unknown[]): string =>
  records.map((one) => JSON.stringify(one)).join('\n');

export interface FeedWorld extends World {
  feed(records: readonly unknown[]): Promise<Fed>;
  /** Days of the devices' counters that are not zero. */
  deviceDays(): Promise<{ day: string; plan: string; bytes: bigint }[]>;
  accountDays(): Promise<{ account: string; day: string; plan: string; bytes: bigint }[]>;
  differences(accountName?: string): Promise<{ checked: number; differences: Difference[] }>;
}

export async function makeFeedWorld(): Promise<FeedWorld> {
  const world = await makeWorld();
  const { db } = world.ctx;
  world.clock.holdAt(NOON);
  await world.import({
    ...SMALL_FLEET,
    accounts: SMALL_FLEET.accounts.map((account) =>
      account.accountName === ACCOUNT
        ? { ...account, timeZone: 'America/Chicago', billCycleDay: 10 }
        : account,
    ),
    devices: [
      ...SMALL_FLEET.devices.map((device) => ({ ...device, planSince: '2025-12-20T00:00:00Z' })),
      { accountName: MANAGED, imei: BARE_IMEI, mac: '00:11:22:33:44:55' },
    ],
  });
  return {
    ...world,
    async feed(records) {
      const answer = await world.operator('POST', '/usage', ndjson(records));
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.json();
    },
    deviceDays: () =>
      db.many({
        text: `select (month + (n - 1)::int)::date as day, plan_code as plan, bytes
               from usage_device_month, unnest(day_bytes) with ordinality as d (bytes, n) where bytes <> 0
               order by 1, 2, 3`,
        values: [],
      }),
    accountDays: () =>
      db.many({
        text: `select account_name as account, day, plan_code as plan, bytes from usage_account_day order by 1, 2, 3`,
        values: [],
      }),
    async differences(accountName = ACCOUNT) {
      const found: Difference[] = [];
      let checked = 0;
      let page = '';
      do {
        const answer = await world.operator('GET', `/usage/differences?accountName=${accountName}${page}`);
        if (answer.statusCode !== 200) throw new Error(answer.body);
        checked += answer.json().checked;
        found.push(...answer.json().differences);
        page = answer.headers['x-next'] === undefined ? '' : `&page=${answer.headers['x-next']}`;
      } while (page !== '');
      return { checked, differences: found };
    },
  };
}
