import type { Cycle } from '../../kernel/bill-cycle.ts';
import type { Ctx } from '../../platform/context.ts';
import type { MeteredService } from './services/subscription.ts';

/** How the counter of an account for a service grew in a month, by its own uses and those that are billed to it. */
export interface ServiceChange {
  readonly accountName: string;
  readonly timeZone: string;
  readonly serviceName: MeteredService;
  /** Named like 2026-01. */
  readonly month: string;
  /** The month as instants, half-open. */
  readonly cycle: { readonly from: Date; readonly to: Date };
  /** The month has closed, less than 72 hours ago. */
  readonly late: boolean;
  readonly before: number;
  readonly after: number;
  /** The requests or records that were counted, in their order: each is one more. */
  readonly refs: readonly string[];
}

/** Called in the transaction that counted the uses. */
export type WatchServices = (ctx: Ctx, ecpdId: string, changes: readonly ServiceChange[]) => Promise<void>;

/**
 * Who looks at counters that a batch has changed. A later feature fulfils it and app hands it in. It is called in the
 * transaction of the batch, once for each profile, after the counters: what it writes commits with them or not at all.
 */
export interface UsageEvaluator {
  /**
   * The cycles that somebody of this profile waits for. None: nothing is staged, and `evaluate` is not called. Asked once
   * more before anything is counted: whoever begins to wait for one holds the accounts that it looks at, and, as the first
   * of its profile, calls `waitForUnwatched` before it looks at counters.
   */
  readonly cyclesOf: (ctx: Ctx, ecpdId: string) => Promise<readonly Cycle[]>;
  /**
   * Holds the accounts of the batch against other batches: what it reads of their counters stands until it commits. Finds
   * in temporary tables, of this batch and profile only:
   *
   * `staged_usage_change`: a row for each counter that changed and each cycle asked for. `account_name`, `device_id`
   * (null: the account's own counter), `plan_code` (empty: not known; null: the account over all its plans), `cycle`,
   * `from_day`, `to_day` (half-open), `opens_at`, `closes_at`, `timeliness` (open, late or over), `before_bytes`, `after_bytes`.
   *
   * `staged_usage_record`: the new records in the order of the feed. `nth`, `record_id`, `account_name`, `device_id`,
   * `plan_code`, `day`, `bytes`. Before a record its counter stood at `before_bytes` and what the earlier ones of the same
   * counter and cycle add: the record that crossed a level is the first for which the sum with its own is beyond it.
   */
  readonly evaluate: (ctx: Ctx, ecpdId: string) => Promise<void>;
  readonly watchServices: WatchServices;
}
