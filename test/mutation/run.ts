import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mayShareProcess, selectFiles } from '../running/select-files.ts';
import { startTestServer } from '../running/server.ts';
import { openRandom } from '../support/seeded-random.ts';
import { EQUAL } from './equal.ts';
import { listMutants, type Mutant } from './mutants.ts';
import type { Covered } from './note-coverage.ts';
import { runFiles } from './run-files.ts';

const HELP = `npm run mutate -- FOLDER …   makes small mistakes in the files of these folders, one at a time, and counts how many the tests notice
  --count=150                how many, drawn from all that could be made
  --seed=TEXT                of the draw (mutants)
  --tests=TEXT               only test files with that in their path
`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '150' },
    seed: { type: 'string', default: 'mutants' },
    tests: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || positionals.length === 0) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const everyday = selectFiles({
  ...{ all: false, faults: false, fuzz: false, model: false, conformance: false },
  ...{ citus: false, network: false, some: false, words: [] },
}).filter((file) => mayShareProcess(file) && file.includes(values.tests));
const mutants = openRandom(values.seed).shuffle(listMutants(positionals)).slice(0, Number(values.count));
const folder = mkdtempSync(join(tmpdir(), 'linekeeper-mutants-'));
const server = await startTestServer();
process.env['TEST_DATABASE_SERVER'] = server.url;
const name = ({ file, line, was, becomes }: Mutant) =>
  `${file}:${line}  ${was}  →  ${becomes || '(nothing)'}`;

/** The quickest first: most mistakes are noticed by several. */
async function testsByMutant(): Promise<string[][]> {
  say(`${mutants.length} mutants; running ${everyday.length} files of tests to see which run them`);
  writeFileSync(join(folder, 'mutants.json'), JSON.stringify(mutants));
  const half = (odd: number) => everyday.filter((_, nth) => nth % availableParallelism() === odd);
  const isGreen = await Promise.all(
    Array.from({ length: availableParallelism() }, (_, n) => runFiles(half(n), { TEST_COVERED: folder })),
  );
  if (isGreen.includes(false)) throw new Error('tests fail without any mutant: repair them first');
  const covered = readFileSync(join(folder, 'covered.jsonl'), 'utf8').trim().split('\n');
  const found = covered.map((line) => JSON.parse(line) as Covered).sort((a, b) => a.ms - b.ms);
  return mutants.map((_, nth) =>
    found.filter(({ nths }) => nths.includes(nth)).map(({ testFile }) => testFile),
  );
}

const tests = await testsByMutant();
const survived: Mutant[] = [];
const waiting = mutants.map((mutant, nth) => ({ mutant, files: tests[nth]! }));
let done = 0;
async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { mutant, files } = next;
    const isSurvivor = files.length === 0 || (await runFiles(files, { TEST_MUTANT: JSON.stringify(mutant) }));
    if (isSurvivor) survived.push(mutant);
    say(`${++done}/${mutants.length}  ${isSurvivor ? 'SURVIVED' : 'noticed '}  ${name(mutant)}`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
await server.stop();
rmSync(folder, { recursive: true });

const equal = survived.filter((mutant) => EQUAL.has(name(mutant)));
const [noticed, total] = [mutants.length - survived.length, mutants.length];
say(`\nnot noticed:`);
for (const mutant of survived) say(`  ${name(mutant)}  ${EQUAL.get(name(mutant)) ?? ''}`);
say(
  `\n${noticed} of ${total} noticed (${Math.round((100 * noticed) / total)} %), ${equal.length} change nothing`,
);
