import { casesOf } from '../support/cases.ts';

const numberIn = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name]);

/** Cases of every test run, so that failures are reproducible. They differ in zones, cycles and kinds of triggers. */
const FIXED = [2, 21, 12, 22, 28, 15].slice(0, casesOf({ everyday: 3, all: 6 }));

const first = numberIn('MODEL_SEED');
const count = numberIn('MODEL_SEEDS');

/** The parameters of this run, passed to the file by test/run.ts. */
export const modelMode = {
  seeds:
    first === undefined || count === undefined ? FIXED : Array.from({ length: count }, (_, n) => first + n),
  /** `npm run model`: progress is shown. */
  isLong: count !== undefined,
  commandFor: (name: string): string =>
    name.startsWith('seed ')
      ? `npm run model -- --seed=${name.slice('seed '.length)}`
      : `npm test -- test/model --name="${name}"`,
};
