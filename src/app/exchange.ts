import type { Asking } from '../features/operator/index.ts';

/** What ends the core, works on its database, and opens it again. */
export interface Exchange extends Asking {
  /** What can be done while the old core ends. */
  readonly beside?: () => Promise<void>;
  /** What needs the database for itself. It does all of it or nothing. */
  readonly change: (at: Date) => Promise<void>;
  /** What the new core is opened with, if `change` went well. */
  readonly opened: Opened;
}

export interface Opened {
  /** With the fleet that the sandbox was started with, where there is none. */
  readonly fresh?: boolean;
  /** Where its clock stands. */
  readonly at?: Date;
}
