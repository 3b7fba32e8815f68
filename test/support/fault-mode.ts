import { openRandom, type SeededRandom } from './seeded-random.ts';

/** What `npm test` draws from: a failure there is the same for everybody. */
export const CI_SEED = 1;
const LONG_ROUNDS = 50;

export interface FaultMode {
  readonly seed: number;
  /** `npm run faults`: many rounds, longer ones, and a seed that nobody chose. */
  readonly long: boolean;
  /** Absent in the mode of CI, where each test says how many it needs. */
  readonly rounds: number | undefined;
  /** The whole service is put under faults for this long, whatever the rounds. */
  readonly minutes: number | undefined;
}

function numberAfter(args: readonly string[], option: string): number | undefined {
  const text = args.find((arg) => arg.startsWith(`--${option}=`))?.slice(option.length + 3);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${option} takes a whole number, not ${text}`);
  return number;
}

export function readFaultMode(args: readonly string[], anySeed: () => number): FaultMode {
  const long = args.includes('--faults');
  return {
    long,
    seed: numberAfter(args, 'seed') ?? (long ? anySeed() : CI_SEED),
    rounds: numberAfter(args, 'rounds') ?? (long ? LONG_ROUNDS : undefined),
    minutes: numberAfter(args, 'minutes'),
  };
}

export const toEnv = ({ seed, long, rounds, minutes }: FaultMode): Record<string, string> => ({
  FAULT_SEED: String(seed),
  ...(long && { FAULT_LONG: 'on' }),
  ...(rounds !== undefined && { FAULT_ROUNDS: String(rounds) }),
  ...(minutes !== undefined && { FAULT_MINUTES: String(minutes) }),
});

/** With which the same moments are drawn again. */
export const replayCommand = ({ seed, long, rounds, minutes }: FaultMode, file: string): string =>
  [
    long ? 'npm run faults --' : 'npm test --',
    `--seed=${seed}`,
    ...(rounds === undefined ? [] : [`--rounds=${rounds}`]),
    ...(minutes === undefined ? [] : [`--minutes=${minutes}`]),
    file,
  ].join(' ');

const numberIn = (name: string) => (process.env[name] === undefined ? undefined : Number(process.env[name]));

/** What this run is, as test/run.ts handed it to the file. */
export const faultMode: FaultMode = {
  seed: numberIn('FAULT_SEED') ?? CI_SEED,
  long: process.env['FAULT_LONG'] === 'on',
  rounds: numberIn('FAULT_ROUNDS'),
  minutes: numberIn('FAULT_MINUTES'),
};

/** How often a test does its worst: as often as the run was told to, or so often in `npm test`. */
export const faultRounds = (inCi: number): number => faultMode.rounds ?? inCi;

/** The moments of one file; files beside each other do not change them. */
export const faultMoments = (name: string): SeededRandom => openRandom(`${faultMode.seed}/${name}`);
