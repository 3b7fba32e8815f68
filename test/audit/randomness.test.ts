import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { listTestFiles } from '../conformance/tags.ts';
import { readSeed, repeatCommand } from '../running/seed.ts';
import { code, pathOf } from './code-files.ts';
import { RANDOM_BY_ITSELF } from './rules.ts';

/** Random functions of Node, the web and PostgreSQL. */
const RANDOM =
  /\b(random(UUID|Bytes|Int|Fill|FillSync)|getRandomValues|Math\.random|gen_random_\w+|uuidv[47]|uuid_generate\w*|random\(|trueChance)\b/;

const drawsByItself = (file: string): boolean => RANDOM.test(readFileSync(pathOf(file), 'utf8'));

describe('random values', () => {
  it('come from the chance of their work, so that a seed determines all of them; each exception has a reason', () => {
    // The switch between the two sources names both.
    const drawing = code.filter((file) => drawsByItself(file) && file !== 'platform/chance/open-chance.ts');
    assert.deepEqual(drawing.sort(), Object.keys(RANDOM_BY_ITSELF).sort());
  });

  it('do not come from migrations: column defaults would not follow a seed', () => {
    assert.doesNotMatch(readFileSync('schema.sql', 'utf8'), RANDOM);
  });
});

/** By themselves, or the same in every run. */
const NOT_FROM_THE_SEED =
  /\bMath\.random\b|\brandomInt\b|\bopenRandom\(['"]|\{[^{}]*\bnumRuns\b[^{}]*\bseed:/;

describe('tests', () => {
  it('draw from the seed of the run, which repeats what they drew', () => {
    const others = listTestFiles()
      .filter((file) => !file.endsWith('audit/randomness.test.ts'))
      .filter((file) => NOT_FROM_THE_SEED.test(readFileSync(file, 'utf8')));
    assert.deepEqual(others, []);
  });

  it('have the seed of the commit unless the run names another, and the command that repeats them names it', () => {
    assert.equal(readSeed(undefined), readSeed(undefined));
    assert.equal(readSeed('4711'), 4711);
    const drawn = Array.from({ length: 100 }, () => readSeed('random'));
    assert.ok(new Set(drawn).size > 50 && drawn.every((seed) => Number.isInteger(readSeed(String(seed)))));
    for (const text of ['', 'one', '-1', '1.5', '1234567890']) assert.throws(() => readSeed(text), /--seed/);
    const args = ['--fuzz', '--seed=random', '--runs=50', '--name=x', 'named'];
    assert.equal(
      repeatCommand(args, 7, { words: ['test/fuzz/a.fuzz.test.ts'], modelSeeds: undefined }),
      'npm test -- --fuzz --runs=50 --seed=7 test/fuzz/a.fuzz.test.ts',
    );
  });
});
