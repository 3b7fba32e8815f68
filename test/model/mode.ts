const numberIn = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name]);

/** What `npm test` plays: a failure there is the same for everybody. They differ in zones, cycles and kinds of triggers. */
const FIXED = [2, 12, 15, 21, 22, 28];
/** Whether back-tests say what really fired, of every kind of trigger: then each run demands it. */
const BACKTESTS_AGREE = false;

const first = numberIn('MODEL_SEED');
const count = numberIn('MODEL_SEEDS');
const backtests = BACKTESTS_AGREE || process.env['MODEL_BACKTESTS'] === 'on';

/** What this run is, as test/run.ts handed it to the file. */
export const modelMode = {
  seeds:
    first === undefined || count === undefined ? FIXED : Array.from({ length: count }, (_, n) => first + n),
  /** `npm run model`: whoever started it watches. */
  isLong: count !== undefined,
  backtests,
  commandFor: (name: string): string =>
    name.startsWith('seed ')
      ? `npm run model -- --seed=${name.slice('seed '.length)}${backtests ? ' --backtests' : ''}`
      : `npm test -- test/model --name="${name}"`,
};
