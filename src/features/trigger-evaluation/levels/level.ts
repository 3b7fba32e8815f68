import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { Boundaries } from '../../../kernel/calendar.ts';
import type { LevelKind } from '../../firings/index.ts';

/** The counter of an account's usage on a plan. */
export interface AccountPlan {
  readonly accountName: string;
  readonly planCode: string;
}

/** The account that gives a cycle its boundaries. */
export interface CycleAccount extends Boundaries {
  readonly accountName: string;
}

/** A level that a counter can reach. */
export interface Level {
  readonly levelKind: LevelKind;
  /** Bytes or a percentage, as the firing shows it. */
  readonly level: number;
  /** Fires only when it is passed. */
  readonly onPassing: boolean;
}

/** A level for the counter of each line, or of an account, on a plan. */
export interface CounterLevel extends Level, AccountPlan {
  readonly cycle: Cycle;
  readonly scope: 'device' | 'account';
  /** A counter reaches the level when it is greater than this. */
  readonly beyondBytes: number;
  /** The level in bytes; for a percentage not always a whole number. */
  readonly thresholdBytes: number;
}

/** Counters that are compared together. */
export interface Sum {
  readonly subject: string;
  readonly cycle: Cycle;
  readonly cycleAccount: string;
  readonly members: readonly AccountPlan[];
  /** Without bytes, a level is a percentage of the shared allowance of the members' active lines. */
  readonly levels: readonly (Level & { readonly beyondBytes: number | undefined })[];
}

/** What is checked when a cycle closes: each line of the account on the plans, or several counters together. */
export type ClosingCheck =
  | { readonly kind: 'lines'; readonly planCodes: readonly string[]; readonly belowBytes: number }
  | { readonly kind: 'age'; readonly planCodes: readonly string[]; readonly billCycles: number }
  | {
      readonly kind: 'total';
      readonly scope: 'account' | 'sum';
      readonly subject: string;
      readonly members: readonly AccountPlan[];
      readonly belowBytes: number;
    }
  | {
      readonly kind: 'pool';
      readonly subject: string;
      readonly members: readonly AccountPlan[];
      /** Reached at the end because the pool became smaller after the last usage arrived. */
      readonly percents: readonly number[];
      /** Whether an unused allowance fires. */
      readonly below: boolean;
    };

/** A check for each time this cycle of this account closes. */
export interface Closing {
  readonly accountName: string;
  readonly cycle: Cycle;
  readonly check: ClosingCheck;
}

/** Everything that a trigger is compared with: counters and sums for arriving usage, closings for the end of a cycle. */
export interface TriggerLevels {
  readonly counters: readonly CounterLevel[];
  readonly sums: readonly Sum[];
  readonly closings: readonly Closing[];
}
