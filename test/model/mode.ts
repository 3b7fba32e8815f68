import { casesOf } from '../support/cases.ts';

const numberIn = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name]);

/** What all tests play: a failure there is the same for everybody. They differ in zones, cycles and kinds of triggers. */
const FIXED = [2, 21, 12, 22, 28, 15].slice(0, casesOf({ everyday: 3, all: 6 }));

const first = numberIn('MODEL_SEED');
const count = numberIn('MODEL_SEEDS');

/** What this run is, as test/run.ts handed it to the file. */
export const modelMode = {
  seeds:
    first === undefined || count === undefined ? FIXED : Array.from({ length: count }, (_, n) => first + n),
  /** `npm run model`: whoever started it watches. */
  isLong: count !== undefined,
  commandFor: (name: string): string =>
    name.startsWith('seed ')
      ? `npm run model -- --seed=${name.slice('seed '.length)}`
      : `npm test -- test/model --name="${name}"`,
};
