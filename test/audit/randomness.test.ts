import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
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
