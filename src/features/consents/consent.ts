/** 0: everything allowed, 1: only precise, 2: only coarse, 3: everything denied. */
export const CONSENT_LEVELS = [0, 1, 2, 3] as const;
export type ConsentLevel = (typeof CONSENT_LEVELS)[number];

export const ACCURACIES = ['coarse', 'precise'] as const;
export type Accuracy = (typeof ACCURACIES)[number];

export const LEVELS_ALLOWING: Readonly<Record<Accuracy, readonly ConsentLevel[]>> = {
  coarse: [0, 2],
  precise: [0, 1],
};

export const DENIED: ConsentLevel = 3;

/** The level of a new account, until its owner sets another one. */
export const DEFAULT_LEVEL: ConsentLevel = 2;

/** Parses a level, which clients send as a number or as text; undefined if it is invalid. */
export const parseLevel = (given: unknown): ConsentLevel | undefined =>
  CONSENT_LEVELS.find((level) => given === level || given === `${level}`);

/** Levels that allow precise location get one callback per device; others share a callback. */
export const isReportedAlone = (level: ConsentLevel): boolean => LEVELS_ALLOWING.precise.includes(level);

export const EXCLUSIONS_MAX = 2_000;
/** Devices in one request, and in one callback about coarse location. */
export const DEVICES_MAX = 10_000;

/** The actor in the ledger for imported changes. */
export const OPERATOR = 'operator';

/** Keeps ledger entries in order of time even if the clocks of nodes differ slightly. */
export const notBefore = (now: Date, last: Date): Date => (now < last ? last : now);
