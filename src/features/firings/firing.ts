/** The unit of a level: the same number of two kinds is two levels. */
export const LEVEL_KINDS = ['percent', 'bytes', 'suspendBytes', 'billCycles', 'poolBelow'] as const;
export type LevelKind = (typeof LEVEL_KINDS)[number];

export const FIRING_CAUSES = ['planChange'] as const;
export type FiringCause = (typeof FIRING_CAUSES)[number];

/** Instants, half-open. */
export interface FiringCycle {
  readonly from: Date;
  readonly to: Date;
}

/** Why a trigger fired. */
export interface Firing {
  readonly firingId: string;
  readonly triggerId: string;
  readonly kind: 'usage' | 'pricePlan';
  readonly accountName: string;
  /** The counted device, account or pool. */
  readonly subject: string;
  /** For a line, the account in which it was counted: it may have had others in the same cycle. */
  readonly lineOf?: string | undefined;
  readonly levelKind: LevelKind;
  readonly level: number;
  readonly cycle: FiringCycle;
  /** The counter before and after the record that crossed the threshold. */
  readonly before: number;
  readonly after: number;
  /** In the counter's unit. */
  readonly threshold: number;
  /** Written with its source (`recordKey`), read as the source's own id. */
  readonly usageRecordId: string | null;
  /** When read: where the record came from, if it has a source. */
  readonly usageRecordSource?: string;
  /** Set if usage was moved to the plan: neither a record nor the end of a cycle reached the level. */
  readonly cause?: FiringCause;
  readonly ruleVersion: number;
  readonly firedAt: Date;
  readonly late: boolean;
}
