import { fileURLToPath } from 'node:url';
import { readRule } from '../src/features/device-management/index.ts';
import { observe, UNTOUCHED, type Watch } from '../src/features/smart-alerts/watching/watch.ts';
import { openDatabase } from '../src/platform/db/db.ts';
import { migrate, readMigrations } from '../src/platform/db/migrate.ts';
import { sql } from '../src/platform/db/sql.ts';
import { lockDataDir, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import { bareReadingsRate, benchReading, chainOf, fillRules, readingsRate } from './support/readings.ts';
import type { Finding } from './support/report.ts';
import { median, show, spread } from './support/statistics.ts';
import { OPERATOR_KEY } from './support/usage-feed.ts';
import { fillFleet } from './support/usage-fleet.ts';

const READINGS = Number(process.env['BENCH_READINGS'] ?? 100_000);
const RULES = Number(process.env['BENCH_RULES'] ?? 10_000);
const ROUNDS = Number(process.env['BENCH_RULES_ROUNDS'] ?? 3);
const EVALUATIONS_MIN = 20_000;

/** Evaluations in a second of this one thread: the condition, and what has become of duration, hysteresis and absence. */
function evaluationRate(from: Date): number {
  const watches = Array.from({ length: RULES }, (_, n) => {
    const rule = readRule('json', chainOf(n));
    if (!rule.evaluable) throw new Error(rule.reason);
    return { rule, watch: UNTOUCHED as Watch, quietSinceMs: from.getTime() };
  });
  const readings = Array.from({ length: READINGS }, (_, n) => benchReading(n, RULES, from));
  const before = performance.now();
  for (const [n, { at, values }] of readings.entries()) {
    const watched = watches[(n * 7_919) % RULES]!;
    const atMs = at.getTime();
    const seen = { atMs, values, before: values };
    watched.watch = observe(watched.rule, watched.watch, watched.quietSinceMs, seen).watch;
    watched.quietSinceMs = atMs;
  }
  return READINGS / ((performance.now() - before) / 1_000);
}

export async function rules(): Promise<Finding[]> {
  const start = new Date(Date.now() - 86_400_000);
  const evaluations = Array.from({ length: ROUNDS }, () => evaluationRate(start));
  const dataDir = makeDataDir();
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(
    postgres.url,
    await readMigrations(fileURLToPath(new URL('../migrations/', import.meta.url))),
  );
  const db = openDatabase(postgres.url, { connections: 5, statementTimeoutMs: 600_000 });
  await fillFleet(db, RULES);
  await fillRules(db, RULES);
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: postgres.url,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_ROLE: 'api',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_LOG_LEVEL: 'warn',
  });
  const rounds: { fed: number; bare: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const from = new Date(start.getTime() + round * 3_600_000);
    const fed = await readingsRate(service.url, READINGS, RULES, from);
    const bare = await bareReadingsRate(postgres.url, READINGS, RULES, from);
    const { alerts } = await db.one<{ alerts: number }>(sql`select count(*)::int as alerts from smart_alert`);
    console.error(`  fed ${show(fed)}/s, bare ${show(bare)}/s, ${show(alerts)} alerts so far`);
    // The first one warms up.
    if (round > 0) rounds.push({ fed, bare });
  }
  await service.stop();
  await db.close();
  await postgres.stop();
  await lock.release();
  removeDataDir(dataDir);
  removeDataDir(service.dataDir);
  const ratios = rounds.map(({ fed, bare }) => fed / bare);
  return [
    {
      what: `Evaluations of a rule in memory, ${show(READINGS)} readings against ${show(RULES)} rules, one core`,
      ours: `${show(median(evaluations))}/s (${spread(evaluations)})`,
      against: `${show(EVALUATIONS_MIN)}/s`,
      ratio: show(median(evaluations) / EVALUATIONS_MIN),
      target: 'at least 1',
      met: median(evaluations) >= EVALUATIONS_MIN,
    },
    {
      what: `Readings fed over HTTP, ${show(READINGS)} against ${show(RULES)} rules, with states, alerts and callbacks`,
      ours: `${show(median(rounds.map(({ fed }) => fed)))}/s`,
      against: `${show(median(rounds.map(({ bare }) => bare)))}/s (bare SQL that keeps the newest values)`,
      ratio: `${show(median(ratios))} (${spread(ratios)})`,
      target: 'none',
      met: undefined,
    },
  ];
}
