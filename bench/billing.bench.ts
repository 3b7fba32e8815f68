import { toSummaries } from '../src/features/billing-summary/wire.ts';
import { billAccount } from '../src/features/usage/index.ts';
import type { Tenant } from '../src/platform/context/context.ts';
import { type Database, type Db, openDatabase } from '../src/platform/db/db.ts';
import { type Query, sql } from '../src/platform/db/sql.ts';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns } from './support/in-turns.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene, type ServiceScene } from './support/service-scene.ts';
import { medianOf, msOf, show } from './support/statistics.ts';

const RECORDS = 5_000_000;
const DEVICES = 10_000;
const PAGE = 1_000;
const ROUNDS = roundsOr(9);
const PER_ROUND = 10;
const RATIO_MAX = 10;
const TENANT = { ecpdId: '9000001', accountName: ACCOUNT } as Tenant;
const MARCH = { year: 2026, month: 3 };
const SPAN = { from: '2026-03-01', to: '2026-04-01', pieces: [] };

const FLEET = {
  ...SMALL_FLEET,
  plans: ['P-5MB', 'P-50MB', 'P-1GB'].map((code) => ({ code, kind: 'payAsYouGo', ratePerMb: 0.1 })),
};

/** A month of records: three plans, two APNs, four rating groups, three countries, one in a thousand late. */
async function fill({ client }: ServiceScene): Promise<number> {
  await client.query('alter table usage_record drop constraint usage_record_pkey');
  await client.query(
    `insert into usage_record
     select '9000001', 'r' || n, $1, md5((n % $3)::text)::uuid, '2026-03-01T12:00:00Z'::timestamptz + n % 31 * interval '1 day',
       '2026-03-01'::date + n % 31, n % 100000, 'apn-' || n / 31 % 2, (100 + n / 62 % 4)::text,
       (array['USA', 'CAN', 'MEX'])[1 + n / 248 % 3], case when n % 10 = 0 then 0.01 end, null,
       (array['P-5MB', 'P-50MB', 'P-1GB'])[1 + n / 744 % 3], n % 1000 = 0, now(), n / 30000, n % 30000
     from generate_series(1, $2::int) n`,
    [ACCOUNT, RECORDS, DEVICES],
  );
  await client.query(
    'alter table usage_record add primary key (ecpd_id, account_name, day, device_id, batch_no, nth)',
  );
  // The sums that the feed would have written, record by record.
  const { rowCount } = await client.query(
    `insert into usage_bill_day
     select ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed, sum(bytes),
       coalesce(sum(bytes) filter (where charge_amount is not null), 0), coalesce(sum(charge_amount), 0)
     from usage_record group by 1, 2, 3, 4, 5, 6, 7, 8`,
  );
  await client.query('vacuum analyze usage_record, usage_bill_day');
  return rowCount ?? 0;
}

const summarise = async (db: Db) =>
  toSummaries(
    { requestId: 'bench', accountName: ACCOUNT, billingCycle: { from: MARCH, to: MARCH } },
    await billAccount(db, TENANT, SPAN, 'rating_group'),
    'rating_group',
  );

const readPage = (db: Db, day: string) =>
  db.many(sql`
    select * from usage_record where ecpd_id = ${TENANT.ecpdId} and account_name = ${TENANT.accountName} and day = ${day}
    order by device_id limit ${PAGE}`);

/** Checks by their plans that the statements of a summary read the daily sums, and not the ledger. */
async function proveAggregates(db: Database): Promise<void> {
  const asked: Query[] = [];
  await summarise({
    ...db,
    many(query) {
      asked.push(query);
      return db.many(query);
    },
  });
  const plans = await Promise.all(
    asked.map(({ text, values }) =>
      db.many({ text: `explain (format json) ${text}`, values, unprepared: true }),
    ),
  );
  const text = JSON.stringify(plans);
  if (!text.includes('usage_bill_day') || text.includes('usage_record'))
    throw new Error(`a summary does not read what was added up: ${text}`);
}

export async function billing(): Promise<Finding[]> {
  const scene = await openServiceScene('billing', FLEET);
  const db = openDatabase(scene.databaseUrl, { connections: 2 });
  try {
    const days = await fill(scene);
    await proveAggregates(db);
    const dayOf = (nth: number) => `2026-03-${String(1 + nth).padStart(2, '0')}`;
    const turns = await inTurns(
      ROUNDS,
      () => medianOf(PER_ROUND, () => msOf(() => summarise(db))),
      () => medianOf(PER_ROUND, (nth) => msOf(() => readPage(db, dayOf(nth)))),
    );
    return [
      beside({
        what: `Billing summary of an account, a month of 5,000,000 records (${show(days)} sums of days), ms`,
        ...turns,
        is: 'a page of 1,000 records by index',
        target: { atMost: RATIO_MAX },
      }),
    ];
  } finally {
    await db.close();
    await scene.close();
  }
}
