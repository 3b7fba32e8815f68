import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { code, pathOf } from './code-files.ts';
import { RANDOM_BY_ITSELF } from './rules.ts';

/** Of Node, of the web and of PostgreSQL. */
const RANDOM =
  /\b(random(UUID|Bytes|Int|Fill|FillSync)|getRandomValues|Math\.random|gen_random_\w+|uuidv[47]|uuid_generate\w*|random\(|trueChance)\b/;

const drawsByItself = (file: string): boolean => RANDOM.test(readFileSync(pathOf(file), 'utf8'));

describe('what is made up', () => {
  it('comes from the chance of the work at hand, so that a seed reaches all of it; each exception has a reason', () => {
    // The switch between the two sources names both.
    const drawing = code.filter((file) => drawsByItself(file) && file !== 'platform/chance/open-chance.ts');
    assert.deepEqual(drawing.sort(), Object.keys(RANDOM_BY_ITSELF).sort());
  });

  it('is made up in no migration: what a row gets without being asked would follow from no seed', () => {
    assert.doesNotMatch(readFileSync('schema.sql', 'utf8'), RANDOM);
  });
});
