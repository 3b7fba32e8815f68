import type { TestContext } from 'node:test';
import { randomFor, type SeededRandom, TEST_SEED } from './seeded-random.ts';

/** For `npm run faults`, unless the run or the file says otherwise. */
const LONG_ROUNDS = 50;
const MINUTE_MS = 60_000;

export interface FaultMode {
  readonly seed: number;
  /** `npm run faults`: many longer rounds. */
  readonly long: boolean;
  /** The number given to the run; absent if each file has its own. */
  readonly rounds: number | undefined;
  /** How long the whole service runs under faults, regardless of the rounds. */
  readonly minutes: number | undefined;
}

function numberAfter(args: readonly string[], option: string): number | undefined {
  const text = args.find((arg) => arg.startsWith(`--${option}=`))?.slice(option.length + 3);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${option} takes a whole number, not ${text}`);
  return number;
}

export function readFaultMode(args: readonly string[], seed: number): FaultMode {
  return {
    long: args.includes('--faults'),
    seed,
    rounds: numberAfter(args, 'rounds'),
    minutes: numberAfter(args, 'minutes'),
  };
}

export const toEnv = ({ long, rounds, minutes }: FaultMode): Record<string, string> => ({
  ...(long && { FAULT_LONG: 'on' }),
  ...(rounds !== undefined && { FAULT_ROUNDS: String(rounds) }),
  ...(minutes !== undefined && { FAULT_MINUTES: String(minutes) }),
});

/** Repeats the same moments. */
export const replayCommand = ({ seed, long, rounds, minutes }: FaultMode, file: string): string =>
  [
    long ? 'npm run faults --' : 'npm test --',
    `--seed=${seed}`,
    ...(rounds === undefined ? [] : [`--rounds=${rounds}`]),
    ...(minutes === undefined ? [] : [`--minutes=${minutes}`]),
    file,
  ].join(' ');

const numberIn = (name: string) => (process.env[name] === undefined ? undefined : Number(process.env[name]));

/** The parameters of this run, passed to the file by test/run.ts. */
export const faultMode: FaultMode = {
  seed: TEST_SEED,
  long: process.env['FAULT_LONG'] === 'on',
  rounds: numberIn('FAULT_ROUNDS'),
  minutes: numberIn('FAULT_MINUTES'),
};

/** The number of rounds of a test: given to the run, or these defaults for `npm test` and `npm run faults`. */
export const faultRounds = (inCi: number, inLong = LONG_ROUNDS): number =>
  faultMode.rounds ?? (faultMode.long ? inLong : inCi);

/** Time limit of a round before it counts as hanging. Two busy cores take minutes for a round of the whole service. */
export const roundLimitMs = ({ long }: FaultMode): number => (long ? 20 : 10) * MINUTE_MS;

/** Time limit for all rounds of a test, which none should reach. */
export const allRoundsLimitMs = (mode: FaultMode): number =>
  roundLimitMs(mode) * (mode.rounds ?? (mode.long ? LONG_ROUNDS : 1)) + (mode.minutes ?? 0) * MINUTE_MS;

/** The random moments of one file, independent of other files. */
export const faultMoments = (name: string): SeededRandom => randomFor(name);

/** The work was done before the fault: such a round shows nothing and is repeated. */
export const TOO_LATE = 'too late';
const PLAYED_MAX = 5;

/**
 * Each round is a separate test, so that the time limit applies to a round. The first failure ends the series, because
 * its leftovers would affect the next round.
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
