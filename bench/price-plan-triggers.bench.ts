import { fileURLToPath } from 'node:url';
import { type Database, openDatabase } from '../src/platform/db/db.ts';
import { migrate, readMigrations } from '../src/platform/db/migrate.ts';
import { sql } from '../src/platform/db/sql.ts';
import { lockDataDir, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import { importTriggers, removeTriggers } from './support/price-plan-triggers.ts';
import type { Finding } from './support/report.ts';
import { median, show, spread } from './support/statistics.ts';
import { FED_TABLES } from './support/usage-bare.ts';
import { feedRate, OPERATOR_KEY } from './support/usage-feed.ts';
import { fillFleet } from './support/usage-fleet.ts';

const RECORDS = Number(process.env['BENCH_USAGE_RECORDS'] ?? 500_000);
const ROUNDS = Number(process.env['BENCH_USAGE_ROUNDS'] ?? 3);
const DEVICES = 100_000;
const TRIGGERS = 10_000;

async function emptyLedger(db: Database): Promise<void> {
  for (const table of FED_TABLES) await db.exec({ text: `truncate ${table}`, values: [] });
  await db.exec(sql`truncate firing, callback_message cascade`);
  await db.exec(sql`checkpoint`);
}

export async function pricePlanTriggers(): Promise<Finding[]> {
  const dataDir = makeDataDir();
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(
    postgres.url,
    await readMigrations(fileURLToPath(new URL('../migrations/', import.meta.url))),
  );
  const db = openDatabase(postgres.url, { connections: 5, statementTimeoutMs: 600_000 });
  await fillFleet(db, DEVICES);
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: postgres.url,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_ROLE: 'api',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_LOG_LEVEL: 'warn',
  });
  const at = new Date(Date.now() - 60_000).toISOString();
  const rate = async (run: string) => {
    await emptyLedger(db);
    const perSecond = await feedRate(service.url, { records: RECORDS, devices: DEVICES, run, at });
    const { fired } = await db.one<{ fired: number }>(sql`select count(*)::int as fired from firing`);
    console.error(`  ${run}: ${show(perSecond)}/s, ${show(fired)} fired`);
    return perSecond;
  };
  const rounds: { plain: number; watched: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const plainFirst = round % 2 === 0 ? await rate(`without ${round}`) : undefined;
    await importTriggers(db, service.url, TRIGGERS);
    const watched = await rate(`with ${round}`);
    await removeTriggers(db);
    const plain = plainFirst ?? (await rate(`without ${round}`));
    // The first one warms up.
    if (round > 0) rounds.push({ plain, watched });
  }
  await service.stop();
  await db.close();
  await postgres.stop();
  await lock.release();
  removeDataDir(dataDir);
  removeDataDir(service.dataDir);
  const ratios = rounds.map(({ plain, watched }) => watched / plain);
  return [
    {
      what: `Usage records taken per second with ${show(TRIGGERS)} price plan triggers, ${show(RECORDS)} over ${show(DEVICES)} devices`,
      ours: show(median(rounds.map(({ watched }) => watched))),
      against: `${show(median(rounds.map(({ plain }) => plain)))} (without triggers)`,
      ratio: `${show(median(ratios))} (${spread(ratios)})`,
      target: 'at least 0.4',
      met: median(ratios) >= 0.4,
    },
  ];
}
