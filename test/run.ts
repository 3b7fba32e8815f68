import { randomInt } from 'node:crypto';
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { buildIfStale } from '../clients/console/build.ts';
import { lockDataDir, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { collectResults, provingFiles } from './conformance/document.ts';
import { judge } from './conformance/verdict.ts';
import { allRoundsLimitMs, readFaultMode, replayCommand, roundLimitMs, toEnv } from './support/fault-mode.ts';
import { slowestFiles } from './support/slowest-files.ts';

const HELP = `npm test                        runs everything
npm test -- sessions audit      only the files whose path has one of the words
npm test -- --runs=50 fuzz      that many requests to each route (6); they have a fixed seed, or --seed=N
npm run fuzz                    the same with 1000 and a random seed; --runs=N and words as above
npm run model                   200 random fleets, feeds and changes, compared with the reference model; takes some minutes
  --seed=N                      only that one; npm test has a few fixed ones
  --seeds=M                     that many, from a random one on or from --seed=N
  --backtests                   back-tests must say what really fired
npm run conformance             the tests that prove the interface, and writes docs/conformance.md
npm test -- --name=PATTERN      only tests whose name fits

npm run faults                  only what breaks the service, at moments of a random seed; takes hours: 50 rounds of
                                each area, 10 of the whole service
npm run faults -- callbacks     only those files of them
  --seed=N                      the moments of another run again; npm test has a fixed one
  --rounds=N                    that many rounds, each of which may take 20 minutes
  --minutes=N                   the whole service under faults for so long, and until that round ends
`;
if (process.argv.includes('--help')) {
  process.stdout.write(HELP);
  process.exit(0);
}
const MINUTE_MS = 60_000;
const SEED_MAX = 1_000_000;
const FAULTS = join('test', 'faults');
const FUZZ = join('test', 'fuzz');
const MODEL = join('test', 'model');
const MODEL_SEEDS = '200';
/** Other files that kill processes, servers or connections; what they do is not drawn from a seed. */
const KILLING =
  /^(test\/e2e\/(process|several-processes|simulator)|test\/flows\/access-across-nodes|src\/platform\/embedded-postgres\/test\/)/;
const write = process.argv.includes('--write');
const mode = readFaultMode(process.argv, () => randomInt(SEED_MAX));
const option = (named: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${named}=`))?.slice(named.length + 3);
const isFuzz = process.argv.includes('--fuzz');
const isModel = process.argv.includes('--model');
const name = option('name');
const runs = option('runs') ?? (isFuzz ? '1000' : undefined);
const seed = option('seed') ?? (isFuzz ? String(randomInt(SEED_MAX)) : undefined);
const modelSeed = isModel ? (option('seed') ?? String(randomInt(SEED_MAX))) : undefined;
const modelSeeds = isModel
  ? (option('seeds') ?? (option('seed') === undefined ? MODEL_SEEDS : '1'))
  : undefined;
const conformance = process.argv.includes('--conformance');
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = globSync(['src/**/*.test.ts', 'clients/**/*.test.ts', 'test/**/*.test.ts'])
  .filter((file) => !mode.long || file.startsWith(FAULTS) || KILLING.test(file))
  .filter((file) => !isFuzz || file.startsWith(FUZZ))
  .filter((file) => !isModel || file.startsWith(MODEL))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !conformance || provingFiles.has(file))
  .sort();
/**
 * Tests with processes of their own mostly wait: they go first, beside those that compute, and not one by one when all
 * others are done.
 */
const WAITING = /^(test\/(faults|e2e|console|flows)|clients)\//;
const inOrder = [
  ...files.filter((file) => WAITING.test(file)),
  ...files.filter((file) => !WAITING.test(file)),
];
if (files.length === 0) {
  console.error('no test file has that in its path');
  process.exit(2);
}
const hasFaults = files.some((file) => file.startsWith(FAULTS));
if (hasFaults) console.log(`faults are drawn from the seed ${mode.seed}`);
if (isModel) console.log(`${modelSeeds} cases are drawn, the first from the seed ${modelSeed}`);
if (isFuzz) console.log(`requests are drawn from the seed ${seed}, ${runs} to each route`);

// Once, before files that need it run beside each other.
if (files.some((file) => file.startsWith(join('test', 'console')))) await buildIfStale();

const dataDir = mkdtempSync(join(tmpdir(), 'linekeeper-test-'));
// The server's user must be able to enter it when this runs as root.
chmodSync(dataDir, 0o755);
const lock = await lockDataDir(dataDir);
// Nothing here must survive a power failure; durability is tested on servers of its own.
const postgres = await startEmbeddedPostgres({
  dataDir,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
});

Object.assign(process.env, toEnv(mode), {
  TEST_DATABASE_SERVER: postgres.url,
  // Every file is a process that loads the whole service: without this each would compile it again.
  NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
  ...(write && { WRITE_GENERATED: 'on' }),
  ...(runs !== undefined && { FUZZ_RUNS: runs }),
  ...(seed !== undefined && { FUZZ_SEED: seed }),
  ...(modelSeed !== undefined && { MODEL_SEED: modelSeed }),
  ...(modelSeeds !== undefined && { MODEL_SEEDS: modelSeeds }),
  ...(process.argv.includes('--backtests') && { MODEL_BACKTESTS: 'on' }),
});
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
// A fault test limits each of its rounds by itself: this is for what has none, and for all of them together.
const manyMs = (Number(runs ?? 0) / 4 + Number(modelSeeds ?? 0)) * MINUTE_MS;
const testMs = Math.max(allRoundsLimitMs(mode), manyMs);
const silenceMs = 3 * Math.max(roundLimitMs(mode), manyMs);
const slowest = slowestFiles();
const failedFaults = new Set<string>();
const tests = run({
  files: inOrder.map((file) => resolve(file)),
  concurrency: availableParallelism() + 1,
  execArgv: [`--test-timeout=${testMs}`],
  signal: stopping.signal,
  ...(name !== undefined && { testNamePatterns: [name] }),
});
tests.on('test:fail', ({ file }) => {
  process.exitCode = 1;
  const path = relative(process.cwd(), file ?? '');
  if (path.startsWith(FAULTS)) failedFaults.add(path);
});
tests.on('test:complete', slowest.note);
const proven = collectResults();
const isTold = words.length === 0 && name === undefined && !mode.long && !isFuzz && !isModel;
interface Ended {
  readonly name: string;
  readonly file?: string;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
}
// What was skipped proves nothing, although it is said to have passed.
const noteResult = (passed: boolean) => (ended: Ended) => {
  if (ended.file === undefined || ended.skip !== undefined || ended.todo !== undefined) return;
  proven.note(relative(process.cwd(), ended.file), ended.name, passed);
};
tests.on('test:pass', noteResult(true));
tests.on('test:fail', noteResult(false));
// A file that left something open does not end by itself, and must not hold up the run for ever.
const silence = setTimeout(() => stopping.abort(), silenceMs);
tests.on('test:complete', () => void silence.refresh());
await new Promise<void>((ended) =>
  tests.compose(new spec()).once('end', ended).pipe(process.stdout, { end: false }),
);
clearTimeout(silence);
if (files.length > 1) process.stdout.write(slowest.table());
for (const file of failedFaults) console.log(`the same faults again: ${replayCommand(mode, file)}`);
if (isTold) {
  const problems = judge(proven.resultOf, conformance);
  if (problems.length > 0) process.exitCode = 1;
  process.stdout.write(problems.map((problem) => `conformance: ${problem}\n`).join(''));
}
await postgres.stop();
await lock.release();
rmSync(dataDir, { recursive: true, force: true });
