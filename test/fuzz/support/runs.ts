import type { Caller } from './scene.ts';

/** `npm run fuzz` asks for many; these are what all routes together can afford in every run. */
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? 6);
/** The same in every run of all tests, which so fails only for a change; `npm run fuzz` draws another each time. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_105);

export const runsOf: Readonly<Record<Caller, number>> = {
  owner: RUNS,
  stranger: Math.ceil(RUNS / 2),
  nobody: Math.ceil(RUNS / 8),
};

/** Putting the world in order again, or making what a success uses up, takes longer than the request. */
export const MENDINGS_MAX = Math.ceil(RUNS / 10);

/** With so many made-up requests one of them must get through. */
export const IS_LONG = RUNS >= 50;
