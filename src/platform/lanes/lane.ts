import type { Db } from '../db/db.ts';
import type { MoveStep } from '../flow-control/timed-work.ts';
import type { Loop } from '../health/health.ts';
import type { LeaseTime, Renewed } from './leases.ts';

/** What one worker at a time works, under a lease. All of it belongs to one profile. */
export interface Lane {
  readonly ecpdId: string;
  /** Of its oldest work, where a kind lists its lanes by it. */
  readonly dueAt?: Date;
}

/** Lanes that share a number of places in this process. */
export interface Pool {
  readonly places: number;
  readonly placesPerProfile: number;
}

/** What of a pool is free. */
export interface Room {
  readonly free: number;
  /** By profile, how many places it has. */
  readonly taken: ReadonlyMap<string, number>;
}

/** Works one lane, from its claim until the lane needs it no more. */
export interface LaneWorker {
  /** Its place is taken until this ends; then the lane is let go. */
  run(): Promise<void>;
  /** Set where a run waits for more to do: nothing is under way. */
  readonly isIdle?: boolean;
  /** Set where a run has ended, and its lane is due again at once. */
  readonly isDueAgain?: boolean;
  renewed?(): void;
  /** Something may have become due on its lane. */
  poke?(): void;
  /** Others may wait for its place: its run ends if it only waits for more to do. */
  giveWay?(): void;
  /** The lane is another worker's, whose work counts instead. */
  lost(): void;
  /** Starts nothing any more; what is under way ends. */
  stop?(): void;
  /** The time to end in is over: whatever can be cut short is. */
  hurry?(): void;
}

/** For whoever waits until work is finished. */
export interface Finishing {
  /** In the log: what is worked. */
  readonly name: string;
  /** Whether something is left of what a move of the clock waits for; without one, whether something is due. */
  readonly isDue: (step?: MoveStep) => Promise<boolean>;
  /** Asked again after this, where nothing has ended meanwhile. */
  readonly askMs: number;
  /** Looked for more no sooner than this after the last look. */
  readonly lookMs?: number;
}

/** What one kind of work decides: what its lanes are, what is due, and what a worker does. */
export interface LaneKind<L extends Lane, Leased extends L, P extends Pool, W extends LaneWorker>
  extends Finishing {
  readonly pools: readonly P[];
  readonly keyOf: (lane: L) => string;
  /** Lanes with due work that no living process holds, in the order in which they get the places. Takes no locks. */
  readonly listDue: (db: Db, pool: P, room: Room) => AsyncIterable<L> | Promise<Iterable<L>>;
  /** How many lanes beyond the free places a look finds for the next claims, where a look costs more the more lanes wait. */
  readonly aheadMax?: number;
  /** Whatever becomes due at once is told of to the engine: a lane that is let go is no reason for another look. */
  readonly isToldOfAll?: boolean;
  /** Of the lanes of one profile, those that are free now and so become ours. */
  readonly claim: (ecpdId: string, lanes: readonly L[], leaseToken: string) => Promise<readonly Leased[]>;
  /** Of how many profiles lanes are claimed at once, where they need not be in the order of the list; else one after the other. */
  readonly claimsAtOnce?: number;
  readonly renew: (ecpdId: string, lanes: readonly Leased[]) => Promise<readonly Renewed<L>[]>;
  /** Fenced by the lease. Missing where the end of the work frees the lane. */
  readonly release?: (ecpdId: string, lanes: readonly Leased[]) => Promise<unknown>;
  /** False while others are to take over what is held. */
  readonly keepsLanes?: () => boolean;
  readonly work: (lane: Leased, lease: LeaseTime) => W;
  readonly onEnded?: (lane: Leased) => void;
  /** They hear how each pass of claiming and renewing ends; the others are told by workers. */
  readonly loops: { readonly claims: Loop; readonly renewals: Loop; readonly others: readonly Loop[] };
}
