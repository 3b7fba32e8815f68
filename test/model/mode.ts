const numberIn = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name]);

/** What `npm test` plays: a failure there is the same for everybody. */
const FIRST = 1;
const COUNT = 8;

/** What this run is, as test/run.ts handed it to the file. */
export const modelMode = {
  first: numberIn('MODEL_SEED') ?? FIRST,
  count: numberIn('MODEL_SEEDS') ?? COUNT,
  /** `npm run model`: whoever started it watches. */
  isLong: process.env['MODEL_SEEDS'] !== undefined,
  /** Whether back-tests must say what really fired. */
  backtests: process.env['MODEL_BACKTESTS'] === 'on',
  commandFor: (name: string): string =>
    name.startsWith('seed ')
      ? `npm run model -- --seed=${name.slice('seed '.length)}${process.env['MODEL_BACKTESTS'] === 'on' ? ' --backtests' : ''}`
      : `npm test -- test/model --name="${name}"`,
};
