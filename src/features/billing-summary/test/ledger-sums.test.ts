import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../../test/support/cases.ts';
import { isAccountName, isEcpdId } from '../../../kernel/account-name.ts';
import { cycleOf } from '../../../kernel/bill-cycle.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Bill, type BilledBy, billAccount, billLines } from '../../usage/index.ts';
import { roundToCents } from '../wire.ts';
import { ACCOUNT, IMEIS, makeBillingScene, NOON, RATED, RATED_IMEI } from './scene.ts';

const scene = await makeBillingScene();
const { db } = scene.ctx;

/** Money as a whole number of 10^-26: a rate has 6 digits, and a byte is 2^-20 of a rate's unit. */
const DIGITS = 26n;
const BYTE = 5n ** 20n;
const exact = (amount: string): bigint => {
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(Number(DIGITS), '0')}`);
};
const RATES: Readonly<Record<string, bigint>> = { 'P-RATE': 100_000n };

interface LedgerRow {
  readonly deviceId: string;
  readonly day: string;
  readonly bytes: bigint;
  readonly apn: string | null;
  readonly group: string | null;
  readonly country: string | null;
  readonly charge: string | null;
  readonly plan: string | null;
  readonly delayed: boolean;
}

/** The sums of a bill, by group and country, added up row by row from the ledger. */
function addUp(rows: readonly LedgerRow[], by: BilledBy): Map<string, string> {
  const sums = new Map<string, { total: bigint; billed: bigint; amount: bigint }>();
  const add = (key: string, row: LedgerRow) => {
    const rate = row.plan === null ? undefined : RATES[row.plan];
    const isBilled = row.charge !== null || rate !== undefined;
    const { total, billed, amount } = sums.get(key) ?? { total: 0n, billed: 0n, amount: 0n };
    sums.set(key, {
      total: total + row.bytes,
      billed: billed + (isBilled ? row.bytes : 0n),
      amount: amount + (row.charge === null ? (rate ?? 0n) * row.bytes * BYTE : exact(row.charge)),
    });
  };
  for (const row of rows) {
    const name = (by === 'apn' ? row.apn : row.group) ?? '';
    const country = row.country ?? '';
    for (const key of ['total', `of ${name}`, `of ${name} in ${country}`]) add(key, row);
    if (row.delayed) add(`delayed ${name} ${country}`, row);
  }
  return new Map([...sums].map(([key, { total, billed, amount }]) => [key, `${total} ${billed} ${amount}`]));
}

function flatten(bill: Bill): Map<string, string> {
  const text = ({ totalBytes, billedBytes, amount }: Omit<Bill, 'groups'>) =>
    `${totalBytes} ${billedBytes} ${exact(amount)}`;
  return new Map([
    ...(bill.groups.length === 0 ? [] : [['total', text(bill)] as const]),
    ...bill.groups.flatMap((group) => [
      [`of ${group.name}`, text(group)] as const,
      ...group.countries.map((one) => [`of ${group.name} in ${one.countryCode}`, text(one)] as const),
      ...group.delayed.map((one) => [`delayed ${group.name} ${one.countryCode}`, text(one)] as const),
    ]),
  ]);
}

const DAY_MS = 86_400_000;
const record = fc.record({
  device: fc.constantFrom(...IMEIS, RATED_IMEI),
  ageMs: fc.integer({ min: 0, max: 70 * DAY_MS }),
  bytes: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 40 })),
  apn: fc.option(fc.constantFrom('a.apn', 'b.apn', 'B.apn', 'ä"\\'), { nil: undefined }),
  ratingGroup: fc.option(fc.constantFrom('1', '100', '2'), { nil: undefined }),
  countryCode: fc.option(fc.constantFrom('USA', 'CAN'), { nil: undefined }),
  chargeAmount: fc.option(
    fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10 ** (n % 7)),
    { nil: undefined },
  ),
  serviceName: fc.option(fc.constant('fota'), { nil: undefined, freq: 10 }),
});

/** The ledger of an account and a billing month, row by row. */
async function readLedger(accountName: string, billCycleDay: number, month: number) {
  const span = cycleOf('Monthly', `2026-0${month}-28`, billCycleDay);
  const rows = await db.many<LedgerRow>(sql`
    select device_id as "deviceId", day, bytes, apn, rating_group as group, country_code as country,
      charge_amount::text as charge, plan_code as plan, delayed
    from usage_record
    where account_name = ${accountName} and day >= ${span.from} and day < ${span.to} and service_name is null`);
  return { span, rows };
}

// proves billing/amounts
describe('a bill', () => {
  // proves billing/delayed-part
  it('equals the sum of the ledger for the account and for each line, and the lines add up to the account', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 50, maxLength: 400 }), async (records) => {
        await scene.emptyLedger();
        round++;
        await scene.feed(
          records.map(({ ageMs, ...one }, n) => ({
            ...one,
            kind: 'imei',
            id: `p${round}-${n}`,
            at: new Date(NOON.getTime() - ageMs).toISOString(),
          })),
        );
        for (const [accountName, by, billCycleDay, caller] of [
          [ACCOUNT, 'rating_group', 10, scene.user],
          [RATED, 'apn', 1, scene.rated],
        ] as const)
          for (const month of [1, 2, 3]) {
            const { span: days, rows } = await readLedger(accountName, billCycleDay, month);
            const span = { ...days, pieces: [] };
            const ecpdId = '9000001';
            assert.ok(isEcpdId(ecpdId) && isAccountName(accountName));
            const tenant = { ecpdId, accountName };
            const account = await billAccount(db, tenant, span, by);
            assert.deepEqual(flatten(account), addUp(rows, by));
            const ofDevices = Map.groupBy(rows, ({ deviceId }) => deviceId);
            const lines = await billLines(
              db,
              tenant,
              span,
              by,
              [...ofDevices.keys()].map((deviceId) => ({ key: deviceId, deviceIds: [deviceId] })),
            );
            for (const [deviceId, own] of ofDevices)
              assert.deepEqual(flatten(lines.get(deviceId)!), addUp(own, by));
            const sum = (read: (bill: Bill) => bigint) =>
              [...lines.values()].reduce((total, bill) => total + read(bill), 0n);
            assert.deepEqual(
              [
                sum((b) => BigInt(b.totalBytes)),
                sum((b) => BigInt(b.billedBytes)),
                sum((b) => exact(b.amount)),
              ],
              [BigInt(account.totalBytes), BigInt(account.billedBytes), exact(account.amount)],
            );
            const cycle = { year: 2026, month };
            const billingCycle = { from: cycle, to: cycle };
            const [summary] = await scene.summaries({ accountName, billingCycle }, caller);
            assert.deepEqual(
              [summary.totalUsage, summary.totalBilledUsage, summary.totalBilledAmount],
              [Number(account.totalBytes), Number(account.billedBytes), Number(roundToCents(account.amount))],
            );
          }
      }),
      { numRuns: casesOf({ everyday: 3, all: 8 }) },
    );
  });
});
