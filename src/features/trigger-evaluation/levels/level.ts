import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { LevelKind } from '../../firings/index.ts';

/** The counter of an account's usage on a plan. */
export interface AccountPlan {
  readonly accountName: string;
  readonly planCode: string;
}

/** Whose zone and bill-cycle day a cycle has. */
export interface CycleAccount {
  readonly accountName: string;
  readonly timeZone: string;
  readonly billCycleDay: number;
}

/** Something that a counter can reach. */
export interface Level {
  readonly levelKind: LevelKind;
  /** Bytes, or a percentage: what the firing names. */
  readonly level: number;
  /** Fires only when it is passed. */
  readonly onPassing: boolean;
}

/** Compared with the counter of each line, or of an account, on a plan. */
export interface CounterLevel extends Level, AccountPlan {
  readonly cycle: Cycle;
  readonly scope: 'device' | 'account';
  /** The first counter that is greater has reached it. */
  readonly beyondBytes: number;
  /** What the level is in bytes: of a percentage not always a whole number. */
  readonly thresholdBytes: number;
}

/** Counters that are compared together. */
export interface Sum {
  readonly subject: string;
  readonly cycle: Cycle;
  readonly cycleAccount: string;
  readonly members: readonly AccountPlan[];
  /** Without bytes it is a percentage of what the active lines of the members may use together. */
  readonly levels: readonly (Level & { readonly beyondBytes: number | undefined })[];
}

/** What is checked when a cycle has closed: each line of the account on the plans, or several counters together. */
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
      /** Reached at the end, because the pool has become smaller since the last usage came. */
      readonly percents: readonly number[];
      /** Whether something follows when the pool was not used up. */
      readonly below: boolean;
    };

/** Checked whenever this cycle of this account has closed. */
export interface Closing {
  readonly accountName: string;
  readonly cycle: Cycle;
  readonly check: ClosingCheck;
}

/** Everything that a trigger is evaluated by: arriving usage by counters and sums, the end of a cycle by closings. */
export interface TriggerLevels {
  readonly counters: readonly CounterLevel[];
  readonly sums: readonly Sum[];
  readonly closings: readonly Closing[];
}
