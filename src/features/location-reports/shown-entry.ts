import type { Withheld } from '../consents/index.ts';
import { CONSENT_FAILED, type DeviceFailure, NOT_ALLOWED } from '../locations/index.ts';
import type { Entry } from './sql-entry.ts';

/** How it reads that a device may not be located now. An exclusion goes before a level. */
export const withheldFailure = (withheld: Withheld, deniedWhenAsked: boolean): DeviceFailure =>
  withheld === 'denied' && deniedWhenAsked ? NOT_ALLOWED : CONSENT_FAILED;

/** What is shown is decided when it is shown: without consent nothing that the entry holds, with it again all of it. */
export const shownEntry = (entry: Entry, withheld: Withheld | undefined, at: Date): Entry =>
  withheld === undefined
    ? entry
    : { ...entry, outcome: { failure: withheldFailure(withheld, entry.deniedWhenAsked), at } };
