import {
  billAccount,
  billLines,
  findLastUsage,
  type LedgerReplay,
  listUsageDays,
  reconcileUsage,
  replayLedger,
} from '../src/features/usage/index.ts';
import { purgeUsage } from '../src/features/usage/jobs.ts';
import { addDays } from '../src/kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../src/platform/context/context.ts';
import { sql } from '../src/platform/db/sql.ts';
import { type FeedScene, startFeedScene } from './support/feed-scene.ts';
import { accountName, countOwn, ecpdId, fillDays, fillOlderDays, makeMonths } from './support/fill-ledger.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { median, medianOf, msOf, show } from './support/statistics.ts';
import { feedRate } from './support/usage-feed.ts';
import { benchDevice, fillMonth, PLAN } from './support/usage-fleet.ts';

const DEVICES = 100_000;
/** The sizes to which the ledger grows, in this order. */
const SIZES = (process.env['BENCH_LEDGER_RECORDS'] ?? '20000000').split(',').map(Number);
const DAYS = SIZES.map((records) => Math.ceil(records / DEVICES));
const ROUNDS = roundsOr(5);
const [FED, ASKED] = [50_000, 100];
const TENANT = { ecpdId, accountName } as Tenant;
/** The queried days exist from the beginning; the ledger grows by older days. */
const FEW = { from: '2026-01-01', count: 10 };
const SPAN = { from: '2026-01-01', to: '2026-02-01', pieces: [] };
/** After the span, so that feeds do not enlarge the queried part. */
const FED_AT = '2026-02-15T12:00:00Z';
/** Before all other days, at any size. */
const OLD = '2014-11-01';
const LINES = Array.from({ length: ASKED }, (_, n) => benchDevice(n * 100).deviceId);

const REPLAY: LedgerReplay = {
  members: [{ counter: 0, accountName, planCode: PLAN, calendar: 0, isOwn: true }],
  days: Array.from({ length: 31 }, (_, n) => ({
    calendar: 0,
    day: addDays(SPAN.from, n),
    opensAt: new Date(SPAN.from),
    closesAt: new Date(SPAN.to),
  })),
  from: SPAN.from,
  to: '2026-01-31',
  perLine: true,
  levels: [{ counter: 0, beyondBytes: 20_000, onPassing: true }],
};

const BILLED = LINES.map((deviceId) => ({ key: deviceId, deviceIds: [deviceId] }));

/** Operations on the ledger, each timed for the same rows whatever the ledger's size. */
function worksOn({ db, url }: FeedScene) {
  const ctx = { db, now: () => new Date(Date.parse(OLD) + 431 * 86_400_000) } as unknown as Ctx;
  const purge = purgeUsage({ keptDays: 400, byMonth: false });
  return {
    'A feed of 50,000 records': async (run: string) =>
      (FED / (await feedRate(url, { records: FED, devices: DEVICES, run, at: FED_AT }))) * 1_000,
    'The bill of an account': () =>
      medianOf(10, () => msOf(() => billAccount(db, TENANT, SPAN, 'rating_group'))),
    'The bills of 100 lines': () => msOf(() => billLines(db, TENANT, SPAN, 'rating_group', BILLED)),
    'The history of a device': () =>
      medianOf(50, (n) =>
        msOf(async () => {
          await findLastUsage(db, TENANT, LINES[n]!);
          await listUsageDays(db, TENANT, SPAN, [LINES[n]!], 1_000);
        }),
      ),
    'Reconciling a month of an account': () =>
      msOf(() => reconcileUsage(ctx, TENANT, { what: 'days', from: SPAN.from })),
    'Replaying a month for a trigger': () => msOf(() => replayLedger(db, ecpdId, REPLAY, 1_000)),
    'Removing a month of 100,000 records': async () => {
      await makeMonths(db, OLD, '2014-12-01');
      await fillDays(db, { from: '2014-11-15', count: 1 }, false);
      return msOf(() => purge.run(ctx, {}, { signal: new AbortController().signal } as never));
    },
  };
}

async function measureAll(scene: FeedScene, records: number): Promise<Map<string, number[]>> {
  await scene.db.exec(sql`vacuum analyze usage_record`);
  await scene.db.exec(sql`vacuum analyze usage_record_id`);
  await scene.db.exec(sql`checkpoint`);
  const costs = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round++)
    for (const [what, work] of Object.entries(worksOn(scene))) {
      const ms = await work(`${records}-${round}`);
      // The first round warms up.
      if (round > 0) costs.set(what, [...(costs.get(what) ?? []), ms]);
    }
  const shown = [...costs].map(([what, ms]) => `${what} ${show(median(ms))} ms`).join(', ');
  console.log(`  with ${show(records)} records: ${shown}`);
  return costs;
}

export async function ledger(): Promise<Finding[]> {
  const scene = await startFeedScene(DEVICES);
  const { db, stop } = scene;
  try {
    const beginsAt = (days: number) => addDays(FEW.from, FEW.count - days);
    await makeMonths(db, beginsAt(Math.max(...DAYS)), '2026-03-01');
    const few = await fillDays(db, FEW, false);
    await countOwn(db);
    await fillMonth(db, 'public', DEVICES);
    const before = await measureAll(scene, few);
    const findings: Finding[] = [];
    let [records, filled] = [few, FEW.count];
    for (const days of DAYS) {
      records += await fillOlderDays(db, { from: beginsAt(days), count: days - filled });
      filled = days;
      const after = await measureAll(scene, records);
      for (const [what, against] of before)
        findings.push(
          beside({
            what: `${what}, ms, with ${show(records)} records in the ledger`,
            ours: after.get(what)!,
            against,
            is: `with ${show(few)}`,
            target: { atMost: 1.25 },
          }),
        );
    }
    return findings;
  } finally {
    await stop();
  }
}
