import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { linesPlot } from './support/plots.ts';
import { openServiceScene } from './support/service-scene.ts';
import { bringIntoUse, soakCalls } from './support/soak-calls.ts';
import { soakFleet } from './support/soak-fleet.ts';
import { countEffects, type Sample, takeSample } from './support/soak-measures.ts';
import { type Minute, startPace } from './support/soak-pace.ts';
import { findRises, type Line } from './support/soak-verdict.ts';
import { startSink } from './support/start-sink.ts';
import { show } from './support/statistics.ts';

const MINUTES_MAX = 1_440;
/** Allowed share of late calls; a checkpoint or another program delays a few. */
const LATE_MAX = 0.01;
const HELP = `npm run soak -- --minutes N [--every SECONDS] [--plot FILE]

Runs the service with a steady mixed load, and shows every minute whether something grows that should not: memory, open files,
connections, dead rows and the size of tables whose rows do not get more, and how long calls take.

  --minutes N       how long, ${MINUTES_MAX} at most; the verdict needs 20
  --every SECONDS   the time between two rows of the table; 60 unless told
  --plot FILE       where the picture goes; bench/results/soak.svg unless told
  --help            shows this

The pace is fixed: some 60 calls, 500 usage records and 200 readings a second, which two cores hold with air. "late" counts calls
that were not made because too many of their kind were under way: beyond one in a hundred, the machine does not hold the pace.

A line is flat when the middle of its last quarter is at most a tenth above that of the minutes 10 to 15. Exits with 1 where one is
not, or where a call failed.
`;

interface Row {
  readonly sample: Sample;
  readonly minute: Minute;
  readonly delivered: number;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string' },
        every: { type: 'string', default: '60' },
        plot: { type: 'string', default: 'bench/results/soak.svg' },
        help: { type: 'boolean', default: false },
      },
    });
    const [minutes, every] = [Number(values.minutes), Number(values.every)];
    const isRight = minutes > 0 && minutes <= MINUTES_MAX && every > 0;
    if (isRight && !values.help) return { minutes, every, plot: values.plot };
    process.stderr.write(HELP);
    process.exit(values.help ? 0 : 2);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${HELP}`);
    process.exit(2);
  }
}

/** Lines with a noise limit get a verdict; the others are only shown. Noise is in the unit of the line. */
function linesOf(rows: readonly Row[]): readonly Line[] {
  const of = (name: string, value: (row: Row) => number, noise?: number): Line => ({
    name,
    values: rows.map(value),
    ...(noise !== undefined && { noise }),
  });
  const kinds = [...(rows[0]?.minute.p99Ms.keys() ?? [])];
  return [
    of('memory MB', ({ sample }) => sample.memoryMb, 5),
    of('files', ({ sample }) => sample.files, 5),
    of('connections', ({ sample }) => sample.connections, 1),
    of('dead %', ({ sample }) => sample.deadPercent, 5),
    of('tables MB', ({ sample }) => sample.tablesMb, 0.3),
    of('indexes MB', ({ sample }) => sample.indexesMb, 0.3),
    ...kinds.map((kind) => of(`${kind} ms`, ({ minute }) => minute.p99Ms.get(kind)!, 5)),
    of('calls', ({ minute }) => minute.calls),
    of('delivered', ({ delivered }) => delivered),
    of('waiting', ({ sample }) => sample.callbacksWaiting, 50),
    of('late', ({ minute }) => minute.late),
    of('errors', ({ minute }) => minute.errors),
  ];
}

const printRow = (nth: number, lines: readonly Line[]) => {
  const cells = lines.map(({ name, values }) => {
    const value = values.at(-1)!;
    return (Number.isNaN(value) ? '–' : value === 0 ? '0' : show(value)).padStart(Math.max(name.length, 5));
  });
  if (nth === 1) console.log(['row', ...lines.map(({ name }) => name.padStart(5))].join('  '));
  console.log([String(nth).padStart(3), ...cells].join('  '));
};

/** Ends the run early, with the results so far. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const { signal } = stopping;

async function soak({ minutes, every }: { minutes: number; every: number }): Promise<readonly Row[]> {
  const sink = await startSink();
  const fleet = soakFleet(minutes, sink.url);
  const scene = await openServiceScene('soak', fleet.document);
  const rows: Row[] = [];
  try {
    await bringIntoUse(scene, fleet.lines);
    await sink.takeArrivals();
    const pace = startPace(soakCalls(scene.url, scene.headers));
    const startedAt = performance.now();
    for (let nth = 1; nth <= Math.floor((minutes * 60) / every); nth++) {
      const restMs = Math.max(0, startedAt + nth * every * 1_000 - performance.now());
      await sleep(restMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      const minute = pace.take();
      const sample = await takeSample(scene.client, scene.service.child.pid!);
      rows.push({ sample, minute, delivered: (await sink.takeArrivals()).size });
      printRow(nth, linesOf(rows));
      for (const reason of minute.reasons) console.error(`  ${reason}`);
    }
    await pace.stop();
    const effects = Object.entries(await countEffects(scene.client));
    console.log(`There are ${effects.map(([name, count]) => `${count} ${name}`).join(', ')}.`);
    return rows;
  } finally {
    await scene.close();
    sink.stop();
  }
}

/** Prints the indexes that grew after the warm-up, largest growth first: investigate the first one. */
function printGrowth(rows: readonly Row[], every: number): void {
  const settled = rows[Math.floor((10 * 60) / every)]?.sample.indexMb ?? {};
  const growth = Object.entries(rows.at(-1)?.sample.indexMb ?? {})
    .map(([name, mb]) => ({ name, mb, by: mb - (settled[name] ?? mb) }))
    .filter(({ by }) => by > 0.05)
    .sort((a, b) => b.by - a.by);
  for (const { name, mb, by } of growth.slice(0, 10))
    console.log(`  ${name} has got larger by ${show(by)} MB, to ${show(mb)}`);
}

const { plot, ...options } = readOptions();
const rows = await soak(options);
const lines = linesOf(rows);
mkdirSync(dirname(plot), { recursive: true });
writeFileSync(plot, linesPlot('What a run under steady load held and took', lines));

const total = (count: (row: Row) => number) => rows.reduce((sum, row) => sum + count(row), 0);
const [calls, late, errors] = [
  total(({ minute }) => minute.calls),
  total(({ minute }) => minute.late),
  total(({ minute }) => minute.errors),
];
const held = late < calls * LATE_MAX ? 'held' : 'did not hold';
console.log(`The machine ${held} the pace: ${show(calls)} calls were made, ${show(late)} were late.`);
if (errors > 0) console.log(`${errors} calls failed.`);
const rises = findRises(lines, options.every / 60);
if (rises === undefined) console.log('Nothing can be said about growth: that takes 20 minutes.');
else if (rises.length === 0) console.log('Every line is flat.');
for (const { name, from, to } of rises ?? [])
  console.log(`Not flat: ${name}, from ${show(from)} to ${show(to)}`);
printGrowth(rows, options.every);
if (errors > 0 || (rises ?? []).length > 0) process.exitCode = 1;
