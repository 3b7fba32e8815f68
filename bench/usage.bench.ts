import pg from 'pg';
import type { Database } from '../src/platform/db/db.ts';
import { sql, trusted } from '../src/platform/db/sql.ts';
import { type FeedScene, startFeedScene } from './support/feed-scene.ts';
import { inTurns, type Turns } from './support/in-turns.ts';
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
const [FEW, MANY] = [10_000, Number(process.env['BENCH_USAGE_DEVICES'] ?? 1_000_000)];

interface Fed {
  readonly records: number;
  readonly devices: number;
  /** In this month every device has a counter, so a record updates one with few devices as with many. */
  readonly underWay: boolean;
  readonly at?: string;
}

async function emptyBare(db: Database): Promise<void> {
  for (const table of FED_TABLES) await db.exec(sql`truncate bare.${trusted(table)}`);
}

/** Compares a feed with the same rows by bare SQL. */
async function measure(
  { db, databaseUrl, url, startOver }: FeedScene,
  { records, devices, underWay, at }: Fed,
): Promise<Turns> {
  const prepare = async () => {
    await startOver();
    await emptyBare(db);
    if (underWay) for (const schema of ['public', 'bare']) await fillMonth(db, schema, devices);
    await db.exec(sql`checkpoint`);
  };
  return inTurns(
    ROUNDS,
    async (round) => {
      await prepare();
      return feedRate(url, { records, devices, run: `o${round}`, ...(at !== undefined && { at }) });
    },
    async (round) => {
      await prepare();
      return bareRate(databaseUrl, records, devices, `b${round}`);
    },
  );
}

export async function usage(): Promise<Finding[]> {
  const scene = await startFeedScene(FEW, 'all');
  const { db, databaseUrl, url, startOver, stop } = scene;
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  await makeBareTables(admin);
  await admin.end();

  const costs = async (devices: number) => {
    if (devices !== FEW) await fillFleet(db, devices);
    return measure(scene, { records: Math.min(RECORDS, 200_000), devices, underWay: true });
  };
  const few = await costs(FEW);
  await fillFleet(db, DEVICES);
  await importTriggers(db, url, TRIGGERS);
  // In an open cycle, so that triggers evaluate it.
  const at = new Date(Date.now() - 60_000).toISOString();
  const turns = await measure(scene, { records: RECORDS, devices: DEVICES, underWay: false, at });
  const single: number[] = [];
  for (let round = 0; round < turns.ours.length; round++) {
    await startOver();
    await emptyBare(db);
    single.push(await singleRate(databaseUrl, Math.min(RECORDS, 20_000), DEVICES, `s${round}`));
  }
  await removeTriggers(db);
  const many = await costs(MANY);
  await stop();

  const growthOf = (side: keyof Turns) => many[side].map((rate) => median(few[side]) / rate);
  return [
    beside({
      what: `Usage records taken per second, ${show(RECORDS)} over ${show(DEVICES)} devices, two feeds, ${show(TRIGGERS)} price plan triggers`,
      ...turns,
      is: 'the same rows by bare SQL on 2 connections, without triggers',
      target: { atLeast: 0.7 },
    }),
    beside({
      what: 'Usage records taken per second',
      ours: turns.ours,
      against: single,
      is: 'one transaction for each record, 10 connections',
      target: { atLeast: 4 },
    }),
    beside({
      what: `Growth of the cost of a record from ${show(FEW)} to ${show(MANY)} devices`,
      ours: growthOf('ours'),
      against: growthOf('against'),
      is: 'bare SQL',
      target: { atMost: 1.25 },
    }),
  ];
}
