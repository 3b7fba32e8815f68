import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Database, openDatabase } from '../src/platform/db/db.ts';
import { migrate, readMigrations } from '../src/platform/db/migrate.ts';
import { sql } from '../src/platform/db/sql.ts';
import { lockDataDir, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import { importTriggers, removeTriggers } from './support/price-plan-triggers.ts';
import type { Finding } from './support/report.ts';
import { median, show, spread } from './support/statistics.ts';
import { bareRate, FED_TABLES, makeBareTables, singleRate } from './support/usage-bare.ts';
import { feedRate, OPERATOR_KEY } from './support/usage-feed.ts';
import { fillFleet, fillMonth } from './support/usage-fleet.ts';

const RECORDS = Number(process.env['BENCH_USAGE_RECORDS'] ?? 500_000);
const ROUNDS = Number(process.env['BENCH_USAGE_ROUNDS'] ?? 3);
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
  const dataDir = makeDataDir();
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(
    postgres.url,
    await readMigrations(fileURLToPath(new URL('../migrations/', import.meta.url))),
  );
  const db = openDatabase(postgres.url, { connections: 5, statementTimeoutMs: 600_000 });
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await makeBareTables(admin);
  await admin.end();
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: postgres.url,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_LOG_LEVEL: 'warn',
  });
  const place = { db, databaseUrl: postgres.url, url: service.url };

  const costs = async (devices: number) => {
    await fillFleet(db, devices);
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
  const single = await singleRate(postgres.url, Math.min(RECORDS, 20_000), DEVICES, 's');
  const many = await costs(MANY);

  await service.stop();
  await db.close();
  await postgres.stop();
  await lock.release();
  removeDataDir(dataDir);
  removeDataDir(service.dataDir);

  const ratios = rounds.map(({ ours, bare }) => ours / bare);
  const ours = median(rounds.map((round) => round.ours));
  const growthOf = (side: keyof Round) => median(few.map((r) => r[side])) / median(many.map((r) => r[side]));
  const growth = growthOf('ours') / growthOf('bare');
  return [
    {
      what: `Usage records taken per second, ${show(RECORDS)} over ${show(DEVICES)} devices, two feeds, ${show(TRIGGERS)} price plan triggers`,
      ours: show(ours),
      against: `${show(median(rounds.map(({ bare }) => bare)))} (the same rows by bare SQL on 2 connections, without triggers)`,
      ratio: `${show(median(ratios))} (${spread(ratios)})`,
      target: 'at least 0.5',
      met: median(ratios) >= 0.5,
    },
    {
      what: 'Usage records taken per second',
      ours: show(ours),
      against: `${show(single)} (one transaction for each record, 10 connections)`,
      ratio: show(ours / single),
      target: 'at least 4',
      met: ours / single >= 4,
    },
    {
      what: `Growth of the cost of a record from ${show(FEW)} to ${show(MANY)} devices`,
      ours: show(growthOf('ours')),
      against: `${show(growthOf('bare'))} (bare SQL)`,
      ratio: show(growth),
      target: 'at most 1.25',
      met: growth <= 1.25,
    },
  ];
}
