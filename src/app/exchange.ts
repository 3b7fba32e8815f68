import type { Asking } from '../features/operator/index.ts';

/** Stops the core, works on its database, and opens it again. */
export interface Exchange extends Asking {
  /** Work that can run while the old core stops. */
  readonly beside?: () => Promise<void>;
  /** Work that needs exclusive access to the database. It must be atomic. */
  readonly change: (at: Date) => Promise<void>;
  /** Options of the new core after a successful `change`. */
  readonly opened: Opened;
}

export interface Opened {
  /** Loads the sandbox's first fleet if the database is empty. */
  readonly fresh?: boolean;
  /** The time of its clock. */
  readonly at?: Date;
}
