import { casesOf } from '../support/cases.ts';
import { TEST_SEED } from '../support/seeded-random.ts';

const numberIn = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name]);

/** Cases of every test run. They differ in zones, cycles and kinds of triggers. */
const FIXED = [2, 21, 12, 22, 28, 15].slice(0, casesOf({ everyday: 3, all: 6 }));

/** Cases that differ from commit to commit. */
const DRAWN = casesOf({ everyday: 2, all: 6 });

const count = numberIn('MODEL_SEEDS');
const drawn = Array.from({ length: count ?? DRAWN }, (_, n) => TEST_SEED + n);

/** The parameters of this run, passed to the file by test/run.ts. */
export const modelMode = {
  seeds: count === undefined ? [...new Set([...FIXED, ...drawn])] : drawn,
  /** `npm run model`: progress is shown. */
  isLong: count !== undefined,
  /** Fixed cases run all together. */
  commandFor: (name: string): string =>
    name.startsWith('seed ')
      ? `npm run model -- --seed=${name.slice('seed '.length)}`
      : 'npm test -- test/model/model',
};
