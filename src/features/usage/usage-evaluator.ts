import type { Cycle } from '../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { CountedUsage } from './counted-usage.ts';
import type { MeteredService } from './services/subscription.ts';

/** How an account's service counter grew in a month: uses billed to it or, if another account paid for some, all its own uses. */
export interface ServiceChange {
  readonly accountName: string;
  readonly timeZone: string;
  readonly serviceName: MeteredService;
  /** A month such as 2026-01. */
  readonly month: string;
  /** The month as instants, half-open. */
  readonly cycle: { readonly from: Date; readonly to: Date };
  /** The month closed less than 72 hours ago. */
  readonly late: boolean;
  readonly before: number;
  readonly after: number;
  /** The requests or records that were counted, in order; each counts as one use. */
  readonly refs: readonly string[];
}

/** Called in the transaction that counted the uses. */
export type WatchServices = (ctx: Ctx, ecpdId: string, changes: readonly ServiceChange[]) => Promise<void>;

/**
 * Evaluates the counters that a batch changed. Later features implement it, and `app` passes it in. It is called in the
 * batch's transaction, once for each profile, after the counters are written: its writes commit with them or not at
 * all.
 */
export interface UsageEvaluator {
  /**
   * The cycles evaluated in this profile. If there are none, nothing is queried and `evaluate` is not called. It is
   * called again before anything is counted: a caller that begins to evaluate a cycle holds its accounts and, if it is
   * the first of its profile, calls `waitForUnwatched` before it reads counters.
   */
  readonly cyclesOf: (ctx: Ctx, ecpdId: string) => Promise<readonly Cycle[]>;
  /** The accounts of the batch are locked against other batches: their counters do not change until it commits. */
  readonly evaluate: (ctx: Ctx, ecpdId: string, counted: CountedUsage) => Promise<void>;
  readonly watchServices: WatchServices;
  /** Called in the transaction in which a request moved usage to another plan. Nothing else counts or evaluates that usage. */
  readonly evaluateMove: (
    ctx: Ctx,
    tenant: Tenant,
    requestId: string,
    counted: CountedUsage,
  ) => Promise<void>;
}

export type MoveWatcher = Pick<UsageEvaluator, 'cyclesOf' | 'evaluateMove'>;
