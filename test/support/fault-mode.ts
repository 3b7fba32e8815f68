import type { TestContext } from 'node:test';
import { openRandom, type SeededRandom } from './seeded-random.ts';

/** What `npm test` draws from: a failure there is the same for everybody. */
export const CI_SEED = 1;
/** In `npm run faults`, where neither the run nor the file says otherwise. */
const LONG_ROUNDS = 50;
const MINUTE_MS = 60_000;

export interface FaultMode {
  readonly seed: number;
  /** `npm run faults`: many rounds, longer ones, and a seed that nobody chose. */
  readonly long: boolean;
  /** As the run was told; absent where each file has its own number. */
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
    rounds: numberAfter(args, 'rounds'),
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

/** How often a test does its worst: as often as the run was told to, or so often in `npm test` and in `npm run faults`. */
export const faultRounds = (inCi: number, inLong = LONG_ROUNDS): number =>
  faultMode.rounds ?? (faultMode.long ? inLong : inCi);

/** What one round may take before it counts as hanging; two busy cores take a few minutes for one of the whole service. */
export const roundLimitMs = ({ long }: FaultMode): number => (long ? 20 : 10) * MINUTE_MS;

/** What all rounds of a test may take together, which is no limit that any of them should meet. */
export const allRoundsLimitMs = (mode: FaultMode): number =>
  roundLimitMs(mode) * (mode.rounds ?? (mode.long ? LONG_ROUNDS : 1)) + (mode.minutes ?? 0) * MINUTE_MS;

/** The moments of one file; files beside each other do not change them. */
export const faultMoments = (name: string): SeededRandom => openRandom(`${faultMode.seed}/${name}`);

/** The work was done before anything could be broken: such a round has shown nothing and is played again. */
export const TOO_LATE = 'too late';
const PLAYED_MAX = 5;

/**
 * Each round is a test of its own, so that the limit of time is that of a round. The first that fails is the last: what
 * it has left behind is no fair beginning of another.
 */
export async function eachRound(
  t: TestContext,
  rounds: number,
  play: (t: TestContext, round: number) => Promise<typeof TOO_LATE | undefined>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    let passed = false;
    await t.test(`round ${round + 1}`, { timeout: roundLimitMs(faultMode) }, async (own) => {
      for (let played = 1; (await play(own, round)) === TOO_LATE; played++)
        if (played === PLAYED_MAX) throw new Error(`the work was done too soon ${played} times`);
      passed = true;
    });
    if (!passed) return;
  }
}
