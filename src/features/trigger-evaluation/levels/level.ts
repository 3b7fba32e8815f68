import type { Cycle } from '../../../kernel/bill-cycle.ts';
import type { LevelKind } from '../../firings/index.ts';

/** Something that a counter can reach. */
export interface Level {
  readonly levelKind: LevelKind;
  /** Bytes, or a percentage: what the firing names. */
  readonly level: number;
  /** Fires only when it is passed. */
  readonly onPassing: boolean;
}

/** Compared with the counter of each line, or of an account, on a plan. */
export interface CounterLevel extends Level {
  readonly accountName: string;
  readonly planCode: string;
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
  readonly members: readonly { readonly accountName: string; readonly planCode: string }[];
  /** Without bytes it is a percentage of what the active lines of the members may use together. */
  readonly levels: readonly (Level & { readonly beyondBytes: number | undefined })[];
}

export interface TriggerLevels {
  readonly counters: readonly CounterLevel[];
  readonly sums: readonly Sum[];
}
