export interface PoolMove {
  readonly deviceCount: number;
  readonly fromPlan: string;
  readonly toPlan: string;
}

/** What is known of what follows from a firing. */
export interface Outcome {
  /** Why nothing is done, or not yet. */
  readonly undone?: string;
  readonly moved?: {
    readonly since: string;
    readonly bytes: number;
    readonly moves: readonly PoolMove[];
  };
}
