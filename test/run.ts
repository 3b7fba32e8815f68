import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { buildIfStale } from '../clients/console/build.ts';
import { checkConformance, collectResults } from './conformance/document.ts';
import { collectTags } from './conformance/tags.ts';
import { HELP, readOptions } from './running/options.ts';
import { collectPassed } from './running/passed-files.ts';
import { BROWSER_PROCESS, makeQueue, SHARED_PROCESS } from './running/queue.ts';
import { repeatCommand } from './running/seed.ts';
import { mayShareConsole, mayShareProcess, selectFiles } from './running/select-files.ts';
import { joinCluster, KEPT, startTestServer } from './running/server.ts';
import { slowestFiles } from './running/slowest-files.ts';
import { withoutStopped } from './running/stopped-files.ts';
import { allRoundsLimitMs, roundLimitMs, toEnv } from './support/fault-mode.ts';

const ABOUT_CLUSTER = 'test/citus/';
const DRAW_FROM_SEED = new URL('running/draw-from-seed.ts', import.meta.url);
const args = process.argv.slice(2);
const options = readOptions(args);
const { faultMode, fuzzRuns, modelSeeds, name, seed, words } = options;
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
/** The parts of a nightly run, one after the other: each would slow down the others. */
const NIGHTLY = ['--all', '--model', '--fuzz', '--faults'];
if (options.nightly) {
  const given = args.filter((argument) => !/^--(nightly$|seed=|seeds=)/.test(argument));
  const seeds = args.findLast((argument) => argument.startsWith('--seeds=')) ?? '--seeds=200';
  const failed = NIGHTLY.filter((part) => {
    const own = [part, ...given, `--seed=${seed}`, ...(part === '--model' ? [seeds] : [])];
    return spawnSync(process.execPath, [import.meta.filename, ...own], { stdio: 'inherit' }).status !== 0;
  });
  console.log(`seed ${seed}: ${failed.length === 0 ? 'all passed' : `failed with ${failed.join(' and ')}`}`);
  process.exit(failed.length === 0 ? 0 : 1);
}
const files = selectFiles(options);
const isEveryday =
  !options.all &&
  !options.faults &&
  !options.fuzz &&
  !options.model &&
  !options.conformance &&
  !options.citus &&
  !options.network &&
  words.length === 0;
if (files.length === 0) {
  console.error('no test file has that in its path');
  process.exit(2);
}
const seedLine = `seed ${seed} (${repeatCommand(args, seed, options)})`;
console.log(seedLine);

// Once, before files that need it run beside each other.
if (files.some((file) => file.startsWith('test/console/'))) await buildIfStale();

const server = options.citus ? await joinCluster() : await startTestServer();
const folder = mkdtempSync(join(tmpdir(), 'linekeeper-run-'));
const queue = join(folder, 'queue');
const browserQueue = join(folder, 'browser-queue');
// A pattern of names would leave out the test that stands for a file.
const shared = name === undefined ? files.filter(mayShareProcess) : [];
const inBrowser = name === undefined ? files.filter(mayShareConsole) : [];
const own = files.filter((file) => !shared.includes(file) && !inBrowser.includes(file));
makeQueue(queue, shared);
makeQueue(browserQueue, inBrowser);

Object.assign(process.env, toEnv(faultMode), {
  TEST_DATABASE_SERVER: server.url,
  TEST_SEED: String(seed),
  ...(options.citus && { TEST_CITUS: server.url }),
  TEST_QUEUE: queue,
  TEST_BROWSER_QUEUE: browserQueue,
  // Every process loads the whole service: without this each would compile it again.
  NODE_COMPILE_CACHE: join(KEPT, 'compiled'),
  ...(options.all && { TEST_ALL: 'on' }),
  ...(options.full && { TEST_FULL: 'on' }),
  // For whoever works on a page and looks at them.
  ...(words.length > 0 && { TEST_PICTURES: 'on' }),
  ...(options.write && { WRITE_GENERATED: 'on' }),
  ...(fuzzRuns !== undefined && { FUZZ_RUNS: fuzzRuns }),
  ...(modelSeeds !== undefined && { MODEL_SEEDS: modelSeeds }),
});

/** Files with processes of their own mostly wait: they run beside those that compute. */
const WAITING_PROCESSES = 1;
// Everyday files wait more than they compute; faults beside each other would only be slower.
const computing = Math.min(availableParallelism() + (isEveryday ? 2 : 1), shared.length);
const MINUTE_MS = 60_000;
const FULL_MINUTES = 60;
const manyMs =
  (Number(fuzzRuns ?? 0) / 4 + Number(modelSeeds ?? 0) + (options.full ? FULL_MINUTES : 0)) * MINUTE_MS;
/** A test that takes this long hangs; one of many pages takes a few minutes on two busy cores. */
const HANGS_MS = 15 * MINUTE_MS;
// A fault test limits each of its rounds by itself: this is for what has none, and for all of them together.
const testMs = Math.max(allRoundsLimitMs(faultMode), manyMs, HANGS_MS);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const tests = run({
  files: [
    ...Array<string>(computing).fill(SHARED_PROCESS),
    ...(inBrowser.length > 0 ? [BROWSER_PROCESS] : []),
    ...own.map((file) => resolve(file)),
  ],
  concurrency: computing + WAITING_PROCESSES,
  execArgv: [`--test-timeout=${testMs}`, `--import=${DRAW_FROM_SEED}`],
  signal: stopping.signal,
  ...(name !== undefined && { testNamePatterns: [name] }),
});

const pathOf = (file: string | undefined) => relative(process.cwd(), file ?? '');
tests.on('test:fail', () => {
  process.exitCode = 1;
});
const slowest = slowestFiles();
tests.on('test:complete', slowest.note);
const passed = collectPassed(files, pathOf);
tests.on('test:pass', passed.pass);
tests.on('test:fail', passed.fail);
const proven = collectResults();
tests.on('test:pass', proven.record(true));
tests.on('test:fail', proven.record(false));
// A file that left something open does not end by itself, and must not hold up the run for ever.
const silence = setTimeout(() => stopping.abort(), 2 * Math.max(roundLimitMs(faultMode), manyMs, HANGS_MS));
tests.on('test:complete', () => void silence.refresh());
await new Promise<void>((ended) =>
  Readable.from(withoutStopped(tests, stopping.signal))
    .pipe(new spec())
    .once('end', ended)
    .pipe(process.stdout, { end: false }),
);
clearTimeout(silence);
if (files.length > 1) process.stdout.write(slowest.table(isEveryday));
for (const file of passed.failed())
  console.log(`the same again: ${repeatCommand(args, seed, { ...options, words: [file] })}`);
if ((options.all || options.conformance) && name === undefined && words.length === 0) {
  const problems = checkConformance(collectTags(), proven.resultOf, options.conformance);
  if (problems.length > 0) process.exitCode = 1;
  process.stdout.write(problems.map((problem) => `conformance: ${problem}\n`).join(''));
}
await server.stop();
rmSync(folder, { recursive: true, force: true });
// What breaks the cluster, when nothing else uses it.
if (options.citus && words.length === 0) {
  const { status } = spawnSync(
    process.execPath,
    [import.meta.filename, '--citus', `--seed=${seed}`, ABOUT_CLUSTER],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exitCode = 1;
  if (!options.some && name === undefined)
    passed.write(status === 0 ? selectFiles({ ...options, words: [ABOUT_CLUSTER] }) : []);
}
console.log(seedLine);
