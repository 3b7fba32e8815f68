import { parseRule } from '../src/features/device-management/index.ts';
import { applyReading, type Progress, UNTOUCHED } from '../src/features/smart-alerts/progress.ts';
import { sql } from '../src/platform/db/sql.ts';
import { startFeedScene } from './support/feed-scene.ts';
import { inTurns } from './support/in-turns.ts';
import { bareReadingsRate, benchReading, chainOf, fillRules, readingsRate } from './support/readings.ts';
import { alone, beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';

const READINGS = Number(process.env['BENCH_READINGS'] ?? 100_000);
const RULES = Number(process.env['BENCH_RULES'] ?? 10_000);
const ROUNDS = roundsOr(3);
const EVALUATIONS_MIN = 20_000;

/** Evaluations per second of this one thread: the condition, and the progress of duration, hysteresis and absence. */
function evaluationRate(from: Date): number {
  const watches = Array.from({ length: RULES }, (_, n) => {
    const rule = parseRule('json', chainOf(n));
    if (!rule.evaluable) throw new Error(rule.reason);
    return { rule, progress: UNTOUCHED as Progress, quietSinceMs: from.getTime() };
  });
  const readings = Array.from({ length: READINGS }, (_, n) => benchReading(n, RULES, from));
  const before = performance.now();
  for (const [n, { at, values }] of readings.entries()) {
    const watched = watches[(n * 7_919) % RULES]!;
    const atMs = at.getTime();
    const seen = { atMs, values, before: values };
    watched.progress = applyReading(watched.rule, watched.progress, watched.quietSinceMs, seen).progress;
    watched.quietSinceMs = atMs;
  }
  return READINGS / ((performance.now() - before) / 1_000);
}

export async function rules(): Promise<Finding[]> {
  const start = new Date(Date.now() - 86_400_000);
  const evaluations = Array.from({ length: ROUNDS }, () => evaluationRate(start));
  const { db, databaseUrl, url, stop } = await startFeedScene(RULES);
  await fillRules(db, RULES);
  const from = (round: number) => new Date(start.getTime() + round * 3_600_000);
  const turns = await inTurns(
    ROUNDS,
    (round) => readingsRate(url, READINGS, RULES, from(round)),
    (round) => bareReadingsRate(databaseUrl, READINGS, RULES, from(round)),
  );
  const { alerts } = await db.one<{ alerts: number }>(sql`select count(*)::int as alerts from smart_alert`);
  if (alerts === 0) throw new Error('no reading has raised an alert');
  await stop();
  return [
    alone(
      `Evaluations of a rule in memory per second of one core, ${show(READINGS)} readings against ${show(RULES)} rules`,
      evaluations,
      { atLeast: EVALUATIONS_MIN },
    ),
    beside({
      what: `Readings fed over HTTP per second, ${show(READINGS)} against ${show(RULES)} rules, with states, alerts and callbacks`,
      ...turns,
      is: 'bare SQL that keeps the newest values',
      target: { atLeast: 0.5 },
    }),
  ];
}
