import type { Db } from '../db/db.ts';
import type { MoveStep } from '../flow-control/timed-work.ts';
import type { Loop } from '../health/health.ts';
import type { LeaseTime, Renewed } from './leases.ts';

/** A queue that one worker at a time holds under a lease. All of it belongs to one profile. */
export interface Lane {
  readonly ecpdId: string;
  /** Due time of its oldest work, if the kind lists lanes by it. */
  readonly dueAt?: Date;
}

/** Lanes that share a number of places in this process. */
export interface Pool {
  readonly places: number;
  readonly placesPerProfile: number;
}

/** The free places of a pool. */
export interface Room {
  readonly free: number;
  /** Number of places taken, by profile. */
  readonly taken: ReadonlyMap<string, number>;
}

/** Works on one lane, from its claim until the lane needs no worker. */
export interface LaneWorker {
  /** The place is taken until this ends; then the lane is released. */
  run(): Promise<void>;
  /** True while a run only waits for more work. */
  readonly isIdle?: boolean;
  /** True if the run has ended and its lane is due again at once. */
  readonly isDueAgain?: boolean;
  renewed?(): void;
  /** More work may be due on the lane. */
  poke?(): void;
  /** Other lanes may be waiting for the place: the run ends if it only waits for more work. */
  giveWay?(): void;
  /** Another worker holds the lane now, and its work counts. */
  lost(): void;
  /** Starts nothing new; running work ends normally. */
  stop?(): void;
  /** The grace time is over: work that can be cut short is. */
  hurry?(): void;
}

/** How a caller can wait until work is finished. */
export interface Finishing {
  /** Name of the work, for the log. */
  readonly name: string;
  /** Whether work remains that a move of the clock waits for; without a step, whether any work is due. */
  readonly isDue: (step?: MoveStep) => Promise<boolean>;
  /** Interval at which `isDue` is called again if no work has ended. */
  readonly askMs: number;
  /** Minimum time between two sweeps for more work. */
  readonly sweepMs?: number;
}

/** The parts that differ between kinds of work: their lanes, how due work is found, and what a worker does. */
export interface LaneKind<L extends Lane, Leased extends L, P extends Pool, W extends LaneWorker>
  extends Finishing {
  readonly pools: readonly P[];
  readonly keyOf: (lane: L) => string;
  /** Lanes with due work and no living worker, in the order in which they get places. Takes no locks. */
  readonly listDue: (
    db: Db,
    pool: P,
    room: Room,
  ) => AsyncIterable<L> | Promise<Iterable<L> | AsyncIterable<L>>;
  /** Lanes to find beyond the free places, for later claims; useful if a query costs more the more lanes wait. */
  readonly aheadMax?: number;
  /** An array from `listDue` contains all due lanes, also those of profiles that have their places. */
  readonly listsAll?: boolean;
  /** The engine is notified of all work that becomes due, so releasing a lane is no reason for another query. */
  readonly notifiesAll?: boolean;
  /** Claims the free ones among these lanes of one profile, and returns them. */
  readonly claim: (ecpdId: string, lanes: readonly L[], leaseToken: string) => Promise<readonly Leased[]>;
  /** Claim for this many profiles at once, if the order of the list does not matter. Default: one by one. */
  readonly claimsAtOnce?: number;
  readonly renew: (ecpdId: string, lanes: readonly Leased[]) => Promise<readonly Renewed<L>[]>;
  /** Fenced by the lease. Missing if ending the work frees the lane. */
  readonly release?: (ecpdId: string, lanes: readonly Leased[]) => Promise<unknown>;
  /** False while other processes should take over the held lanes. */
  readonly keepsLanes?: () => boolean;
  readonly work: (lane: Leased, lease: LeaseTime) => W;
  readonly onEnded?: (lane: Leased) => void;
  /** Whether this step of a move waits for work on this lane: while such a lane is held, nobody asks `isDue`. */
  readonly isAwaited?: (lane: Leased, step: MoveStep) => boolean;
  /** The engine reports each pass of claiming and renewing; workers report to the other loops. */
  readonly loops: { readonly claims: Loop; readonly renewals: Loop; readonly others: readonly Loop[] };
}
