import { type FaultMode, readFaultMode } from '../support/fault-mode.ts';
import { readSeed } from './seed.ts';
import type { Choice } from './select-files.ts';

export const HELP = `npm test                        what is run on every change: a few minutes
npm run test:all                everything: faults, killed processes, packages, all of the console, and all drawn cases
npm test -- sessions audit      only the files whose path has one of the words, the long ones too
npm test -- --name=PATTERN      only tests whose name fits
npm test -- --seed=N            everything random is drawn from this number: as in the run that printed it; by default
                                from the number of the commit, and --seed=random draws one
npm test -- --runs=50 fuzz      that many requests to each route (2, or 6 of --all)
npm run fuzz                    the same with 1000 and a random seed; --runs=N and words as above
npm run model                   200 random fleets, feeds and changes, compared with the reference model; takes some minutes
  --seed=N                      only that one; npm test has a few fixed ones, and a few from its seed on
  --seeds=M                     that many, from a random one on or from --seed=N
npm run test:nightly            test:all, then model, fuzz and faults at their full length, all from one random seed
npm run test:citus              what has a database, on the cluster of LINEKEEPER_CITUS_URL: its coordinator, as a superuser;
                                writes test/citus/passed.txt
  --some                        all flows, and a file of each feature
npm run test:network            with real network elements: osmo-hlr, freeradius and radclient, as far as they are installed
  --full                        with ten times as many RADIUS reports, which takes some minutes more
npm run shots                   makes a picture of every page of the console, light and dark, in docs/pictures
npm run conformance             the tests that prove the interface, and writes docs/conformance.md

npm run faults                  only what breaks the service, at moments of a random seed; takes hours: 50 rounds of
                                each area, 10 of the whole service
npm run faults -- callbacks     only those files of them
  --seed=N                      the moments of another run again
  --rounds=N                    that many rounds, each of which may take 20 minutes
  --minutes=N                   the whole service under faults for so long, and until that round ends
`;

const LONG_FUZZ_RUNS = '1000';
const MODEL_SEEDS = '200';

export interface Options extends Choice {
  readonly help: boolean;
  /** Of what has a size: the large one. */
  readonly full: boolean;
  readonly write: boolean;
  readonly nightly: boolean;
  readonly seed: number;
  readonly name: string | undefined;
  readonly faultMode: FaultMode;
  readonly fuzzRuns: string | undefined;
  /** How many cases are drawn; the first is the one of the seed. */
  readonly modelSeeds: string | undefined;
}

export function readOptions(args: readonly string[]): Options {
  const has = (named: string) => args.includes(`--${named}`);
  const textOf = (named: string) =>
    args.findLast((argument) => argument.startsWith(`--${named}=`))?.slice(named.length + 3);
  const [fuzz, model] = [has('fuzz'), has('model')];
  const seedText = textOf('seed');
  const seed = readSeed(seedText);
  const isOneSeed = seedText !== undefined && seedText !== 'random';
  return {
    help: has('help'),
    full: has('full'),
    all: has('all'),
    faults: has('faults'),
    fuzz,
    model,
    conformance: has('conformance'),
    citus: has('citus'),
    network: has('network'),
    some: has('some'),
    write: has('write'),
    nightly: has('nightly'),
    seed,
    words: args.filter((argument) => !argument.startsWith('--')),
    name: textOf('name'),
    faultMode: readFaultMode(args, seed),
    fuzzRuns: textOf('runs') ?? (fuzz ? LONG_FUZZ_RUNS : undefined),
    modelSeeds: model ? (textOf('seeds') ?? (isOneSeed ? '1' : MODEL_SEEDS)) : undefined,
  };
}
