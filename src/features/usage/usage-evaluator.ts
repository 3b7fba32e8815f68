import type { Cycle } from '../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { CountedUsage } from './counted-usage.ts';
import type { MeteredService } from './services/subscription.ts';

/**
 * How a counter of an account for a service grew in a month: what is billed to it or, where another paid for some of them, its
 * own uses, whoever paid.
 */
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
 * Who evaluates counters that a batch has changed. Later features fulfil it, and app hands it in. It is called in the
 * transaction of the batch, once for each profile, after the counters: what it writes commits with them or not at all.
 */
export interface UsageEvaluator {
  /**
   * The cycles that somebody of this profile evaluates. None: nothing is looked up, and `evaluate` is not called. Called once
   * more before anything is counted: whoever begins to evaluate one holds its accounts, and, as the first of its profile,
   * calls `waitForUnwatched` before it looks up counters.
   */
  readonly cyclesOf: (ctx: Ctx, ecpdId: string) => Promise<readonly Cycle[]>;
  /** The accounts of the batch are held against other batches: their counters stand as they are until it commits. */
  readonly evaluate: (ctx: Ctx, ecpdId: string, counted: CountedUsage) => Promise<void>;
  readonly watchServices: WatchServices;
  /** After usage of the account was moved to another plan by a request, in its transaction: nobody else counts or evaluates it. */
  readonly evaluateMove: (
    ctx: Ctx,
    tenant: Tenant,
    requestId: string,
    counted: CountedUsage,
  ) => Promise<void>;
}

export type MoveWatcher = Pick<UsageEvaluator, 'cyclesOf' | 'evaluateMove'>;
