import { casesOf } from '../../support/cases.ts';
import type { Caller } from './scene.ts';

/** The default is what all routes together can afford in a run of all tests; `npm run fuzz` sets more. */
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? casesOf({ everyday: 2, all: 6 }));

const runsOf: Readonly<Record<Caller, number>> = {
  owner: RUNS,
  stranger: Math.ceil(RUNS / 2),
  nobody: Math.ceil(RUNS / 8),
};

/** Requests to operations that can break the world take seconds each, so a short run adds only a few to the valid one. */
const BREAKING_SHORT = 2;

/** With this many generated requests, at least one must succeed. */
export const IS_LONG = RUNS >= 50;

export const runsOn = (caller: Caller, canBreak: boolean): number =>
  canBreak && !IS_LONG ? Math.min(runsOf[caller], BREAKING_SHORT) : runsOf[caller];

/** Limited, because repairing the world or recreating what a success uses up takes longer than the request. */
export const MENDINGS_MAX = Math.ceil(RUNS / 10);
