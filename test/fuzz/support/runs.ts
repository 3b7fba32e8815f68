import { casesOf } from '../../support/cases.ts';
import type { Caller } from './scene.ts';

/** `npm run fuzz` asks for many; these are what all routes together can afford in a run of all tests. */
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? casesOf({ everyday: 2, all: 6 }));
/** The same in every run of all tests, which so fails only for a change; `npm run fuzz` draws another each time. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

const runsOf: Readonly<Record<Caller, number>> = {
  owner: RUNS,
  stranger: Math.ceil(RUNS / 2),
  nobody: Math.ceil(RUNS / 8),
};

/** Of operations that can break the world a short run tries few more than the one that is right: each takes seconds. */
const BREAKING_SHORT = 2;

/** With so many made-up requests one of them must get through. */
export const IS_LONG = RUNS >= 50;

export const runsOn = (caller: Caller, canBreak: boolean): number =>
  canBreak && !IS_LONG ? Math.min(runsOf[caller], BREAKING_SHORT) : runsOf[caller];

/** Putting the world in order again, or making what a success uses up, takes longer than the request. */
export const MENDINGS_MAX = Math.ceil(RUNS / 10);
