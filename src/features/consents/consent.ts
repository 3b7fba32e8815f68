/** 0 everything allowed, 1 only precise, 2 only coarse, 3 everything denied. */
export const CONSENT_LEVELS = [0, 1, 2, 3] as const;
export type ConsentLevel = (typeof CONSENT_LEVELS)[number];

/** On file from the day an account exists, until its owner says otherwise. */
export const DEFAULT_LEVEL: ConsentLevel = 2;

export const EXCLUSIONS_MAX = 2_000;

/** Who the ledger names for what comes by import. */
export const OPERATOR = 'operator';
