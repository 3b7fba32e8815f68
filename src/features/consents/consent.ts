/** 0 everything allowed, 1 only precise, 2 only coarse, 3 everything denied. */
export const CONSENT_LEVELS = [0, 1, 2, 3] as const;
export type ConsentLevel = (typeof CONSENT_LEVELS)[number];

export const ACCURACIES = ['coarse', 'precise'] as const;
export type Accuracy = (typeof ACCURACIES)[number];

export const LEVELS_ALLOWING: Readonly<Record<Accuracy, readonly ConsentLevel[]>> = {
  coarse: [0, 2],
  precise: [0, 1],
};

export const DENIED: ConsentLevel = 3;

/** On file from the day an account exists, until its owner says otherwise. */
export const DEFAULT_LEVEL: ConsentLevel = 2;

/** Clients send the level as a number or as text; undefined for whatever is no level. */
export const parseLevel = (given: unknown): ConsentLevel | undefined =>
  CONSENT_LEVELS.find((level) => given === level || given === `${level}`);

/** One callback per device where precise location is allowed, many devices in one where it is not. */
export const isReportedAlone = (level: ConsentLevel): boolean => LEVELS_ALLOWING.precise.includes(level);

export const EXCLUSIONS_MAX = 2_000;
/** Devices in one request, and in one callback about coarse location. */
export const DEVICES_MAX = 10_000;

/** Who the ledger names for what comes by import. */
export const OPERATOR = 'operator';

/** Nothing in the ledger is dated before what it follows, also when nodes' clocks differ by a moment. */
export const notBefore = (now: Date, last: Date): Date => (now < last ? last : now);
