import pg from 'pg';
import type { Database } from '../src/platform/db/db.ts';
import { sql } from '../src/platform/db/sql.ts';
import { startFeedScene } from './support/feed-scene.ts';
import { importTriggers, removeTriggers } from './support/price-plan-triggers.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { median, show } from './support/statistics.ts';
import { bareRate, FED_TABLES, makeBareTables, singleRate } from './support/usage-bare.ts';
import { feedRate } from './support/usage-feed.ts';
import { fillFleet, fillMonth } from './support/usage-fleet.ts';

const RECORDS = Number(process.env['BENCH_USAGE_RECORDS'] ?? 500_000);
const ROUNDS = roundsOr(3);
const DEVICES = 100_000;
const TRIGGERS = 1_000;
const [FEW, MANY] = [10_000, 1_000_000];

interface Place {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly url: string;
}

async function emptyLedgers({ db }: Place): Promise<void> {
  for (const schema of ['public', 'bare'])
    for (const table of FED_TABLES) await db.exec({ text: `truncate ${schema}.${table}`, values: [] });
  await db.exec(sql`checkpoint`);
}

interface Round {
  readonly ours: number;
  readonly bare: number;
}

/** Alternating order: whatever else the machine does falls on both. */
async function measure(
  place: Place,
  { records, devices, underWay, at }: { records: number; devices: number; underWay: boolean; at?: string },
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await emptyLedgers(place);
    if (underWay) for (const schema of ['public', 'bare']) await fillMonth(place.db, schema, devices);
    const bareFirst = round % 2 === 0 ? await bareRate(place.databaseUrl, records, devices, 'b') : undefined;
    const ours = await feedRate(place.url, { records, devices, run: 'o', ...(at !== undefined && { at }) });
    const bare = bareFirst ?? (await bareRate(place.databaseUrl, records, devices, 'b'));
    console.error(`  ${devices} devices: ${show(ours)}/s, bare ${show(bare)}/s`);
    if (round > 0) rounds.push({ ours, bare });
  }
  return rounds;
}

export async function usage(): Promise<Finding[]> {
  const { db, databaseUrl, url, stop } = await startFeedScene(FEW, 'all');
  const place = { db, databaseUrl, url };
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  await makeBareTables(admin);
  await admin.end();

  const costs = async (devices: number) => {
    if (devices !== FEW) await fillFleet(db, devices);
    // A month in which every device has a counter: with few devices as with many a record updates one.
    return measure(place, { records: Math.min(RECORDS, 200_000), devices, underWay: true });
  };
  const few = await costs(FEW);
  await fillFleet(db, DEVICES);
  await importTriggers(db, place.url, TRIGGERS);
  // In an open cycle, so that triggers look at it.
  const at = new Date(Date.now() - 60_000).toISOString();
  const rounds = await measure(place, { records: RECORDS, devices: DEVICES, underWay: false, at });
  await removeTriggers(db);
  const single = await singleRate(databaseUrl, Math.min(RECORDS, 20_000), DEVICES, 's');
  const many = await costs(MANY);

  await stop();

  const ours = rounds.map((round) => round.ours);
  const growthOf = (side: keyof Round) => many.map((round) => median(few.map((r) => r[side])) / round[side]);
  return [
    beside({
      what: `Usage records taken per second, ${show(RECORDS)} over ${show(DEVICES)} devices, two feeds, ${show(TRIGGERS)} price plan triggers`,
      ours,
      against: rounds.map(({ bare }) => bare),
      is: 'the same rows by bare SQL on 2 connections, without triggers',
      target: { atLeast: 0.5 },
    }),
    beside({
      what: 'Usage records taken per second',
      ours,
      against: ours.map(() => single),
      is: 'one transaction for each record, 10 connections',
      target: { atLeast: 4 },
    }),
    beside({
      what: `Growth of the cost of a record from ${show(FEW)} to ${show(MANY)} devices`,
      ours: growthOf('ours'),
      against: growthOf('bare'),
      is: 'bare SQL',
      target: { atMost: 1.25 },
    }),
  ];
}
