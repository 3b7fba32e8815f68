import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import {
  ACCOUNT,
  CYCLE,
  FEBRUARY,
  IMEIS,
  MARCH,
  makeBillingScene,
  RATED,
  RATED_IMEI,
  record,
} from './scene.ts';

const scene = await makeBillingScene();
const { db } = scene.ctx;
const { ask, summaries } = scene;

beforeEach(() => scene.emptyLedger());

describe('200', () => {
  // proves 2.11/totals 4.7/accountName 6.3/billing-data-summary
  it('answers an id at once, stores the request with its job, and sends the summary as a DeviceUsage callback with that id', async () => {
    await scene.feed([record()]);
    const answer = await ask({});
    assert.deepEqual(Object.keys(answer.json()), ['requestId']);
    const { requestId } = answer.json();
    assert.equal(
      (await db.many(sql`select from job where kind = 'billing-summary.answer' and finished_at is null`))
        .length,
      1,
    );
    const [message, ...others] = await scene.callbacksOf(requestId);
    assert.deepEqual([message?.requestId, message?.status, others], [requestId, 'Success', []]);
    const [row] = await db.many<{ service: string }>(
      sql`select service_name as service from callback_message where request_id = ${requestId}`,
    );
    assert.equal(row?.service, 'DeviceUsage');
  });

  // proves 4.7/accountName requests/account-not-named
  it("uses the session's only account if none is named, or null", async () => {
    await scene.feed([record({ bytes: 7 })]);
    for (const accountName of [undefined, null]) {
      const [summary] = await summaries({ accountName });
      assert.deepEqual([summary.accountName, summary.totalUsage], [ACCOUNT, 7]);
    }
  });

  // proves 2.11/usageSegments
  it('sums rating groups by country, with delayed usage separate, for an account without real-time rating', async () => {
    await scene.feed([
      record({ bytes: 1_048_576 }),
      record({ bytes: 2_097_152, chargeAmount: 0.5 }),
      record({ bytes: 10, device: IMEIS[1] }),
      record({ bytes: 20, countryCode: 'CAN', chargeAmount: 1.005, device: IMEIS[1] }),
      record({ bytes: 30, ratingGroup: '200', device: IMEIS[2] }),
      record({ bytes: 1_000, serviceName: 'fota' }),
    ]);
    assert.deepEqual(await summaries({}), [
      {
        accountName: ACCOUNT,
        totalBilledAmount: 1.61,
        totalBilledUsage: 3_145_748,
        totalUsage: 3_145_788,
        unitOfMeasure: 'BYTES',
        billingCycle: CYCLE,
        usageSegments: [
          {
            ratingGroup: '100',
            ratingGroupBilledAmount: 1.61,
            ratingGroupBilledUsage: 3_145_748,
            ratingGroupTotalUsage: 3_145_758,
            ratingGroupDetails: {
              totalDelayedUsageDetails: [],
              totalUsageDetails: [
                { chargeAmount: 1.01, totalBilledUsage: 20, totalUsage: 20, countryCode: 'CAN' },
                { chargeAmount: 0.6, totalBilledUsage: 3_145_728, totalUsage: 3_145_738, countryCode: 'USA' },
              ],
            },
          },
          {
            ratingGroup: '200',
            ratingGroupBilledAmount: 0,
            ratingGroupBilledUsage: 0,
            ratingGroupTotalUsage: 30,
            ratingGroupDetails: {
              totalDelayedUsageDetails: [],
              totalUsageDetails: [
                { chargeAmount: 0, totalBilledUsage: 0, totalUsage: 30, countryCode: 'USA' },
              ],
            },
          },
        ],
      },
    ]);
  });

  // proves 2.11/usageApns billing/delayed-part billing/missing-names
  it('sums APNs by country, with their page, for an account with real-time rating, and late records as delayed usage', async () => {
    const mine = { device: RATED_IMEI, at: '2026-02-12T18:00:00Z' };
    await scene.feed([
      record({ ...mine, bytes: 1_048_576 }),
      record({ ...mine, bytes: 5, apn: undefined, countryCode: undefined, chargeAmount: 2 }),
      record({ device: RATED_IMEI, at: '2026-03-02T00:00:00Z', bytes: 7, chargeAmount: 0 }),
    ]);
    const billingCycle = { from: FEBRUARY, to: MARCH };
    const [summary] = await summaries({ accountName: RATED, billingCycle }, scene.rated);
    const usa = (totalChargeAmount: number, totalUsage: number) => ({
      countryCode: 'USA',
      totalChargeAmount,
      totalBilledUsage: totalUsage,
      totalUsage,
    });
    const unknown = { countryCode: '', totalChargeAmount: 2, totalBilledUsage: 5, totalUsage: 5 };
    assert.deepEqual(summary, {
      accountName: RATED,
      totalBilledAmount: 2.1,
      totalBilledUsage: 1_048_588,
      totalUsage: 1_048_588,
      unitOfMeasure: 'BYTES',
      billingCycle,
      usageApns: [
        {
          billedAmount: 2,
          billedUsage: 5,
          totalUsage: 5,
          name: '',
          pageNumber: 1,
          apnDetails: { totalDelayedUsageDetails: [unknown], totalUsageDetails: [unknown] },
        },
        {
          billedAmount: 0.1,
          billedUsage: 1_048_583,
          totalUsage: 1_048_583,
          name: 'one.apn',
          pageNumber: 1,
          apnDetails: {
            totalDelayedUsageDetails: [usa(0.1, 1_048_576)],
            totalUsageDetails: [usa(0.1, 1_048_583)],
          },
        },
      ],
    });
  });

  // proves 4.7/billingCycle billing/period
  it("starts a billing month at the bill-cycle day of the month it is named after, in the account's time zone", async () => {
    await scene.feed([
      record({ at: '2026-02-10T05:59:59Z', bytes: 1 }),
      record({ at: '2026-02-10T06:00:00Z', bytes: 2 }),
      record({ at: '2026-03-10T04:59:59Z', bytes: 4 }),
      record({ at: '2026-03-10T05:00:00Z', bytes: 8 }),
    ]);
    const used = async (from: object, to: object) =>
      (await summaries({ billingCycle: { from, to } })).map(({ totalUsage }) => totalUsage);
    assert.deepEqual(await used(FEBRUARY, FEBRUARY), [6]);
    assert.deepEqual(await used(MARCH, MARCH), [8]);
    assert.deepEqual(await used({ year: 2026, month: 1 }, MARCH), [15]);
  });

  // proves billing/summary-pages
  it('sends a hundred APNs in one callback and the others in further pages, each with the totals of the bill', async () => {
    await scene.feed(
      Array.from({ length: 250 }, (_, n) =>
        record({ device: RATED_IMEI, bytes: 1, apn: `a${String(n).padStart(3, '0')}` }),
      ),
    );
    const pages = await summaries({ accountName: RATED }, scene.rated);
    assert.deepEqual(
      pages.map(({ usageApns }) => usageApns.length),
      [100, 100, 50],
    );
    assert.deepEqual(
      pages.map(({ usageApns }) => new Set(usageApns.map((apn: { pageNumber: number }) => apn.pageNumber))),
      [new Set([1]), new Set([2]), new Set([3])],
    );
    assert.ok(pages.every(({ totalUsage }) => totalUsage === 250));
    const names = pages.flatMap(({ usageApns }) => usageApns.map(({ name }: { name: string }) => name));
    assert.equal(new Set(names).size, 250);
  });

  it('reports zero for a month without usage', async () => {
    const [summary, ...others] = await summaries({});
    assert.deepEqual(
      [summary.totalUsage, summary.totalBilledAmount, summary.usageSegments, others],
      [0, 0, [], []],
    );
  });
});
