export { type CountedUsage, type CounterChange, planOf, type Step, type Wanted } from './counted-usage.ts';
export type { MoveWatcher, ServiceChange, UsageEvaluator, WatchServices } from './evaluate-usage.ts';
export { exactSumOf } from './grown-bytes.ts';
export type { CountedRecord, DaySpan } from './ledger.ts';
export { type Timeliness, timeliness } from './ledger.ts';
export { daysIn } from './local-days.ts';
export { countMovable, moveUsage, prepareMove } from './moving/move-usage.ts';
export { type MovedLine, noteLeft } from './moving/sql-move.ts';
export { shareLevels } from './moving/sql-seen-moves.ts';
export type { Replay, Replayed } from './replay/counted-entries.ts';
export { type LedgerReplay, replayLedger } from './replay/replay-ledger.ts';
export { replayPools } from './replay/replay-pools.ts';
export { subscriptionsSection } from './services/fleet-subscriptions.ts';
export { recordTransactions } from './services/record-transactions.ts';
export { isServiceOpen, limitServices, listServiceStates } from './services/service-gate.ts';
export { allowanceOf } from './services/sku.ts';
export {
  countOwnUses,
  type DayRange,
  listPaidUses,
  listStatementLines,
  type StatementLine,
} from './services/sql-statement.ts';
export { findSubscription, listSubscriptions } from './services/sql-subscription.ts';
export { deleteTransactionsOfAccount, holdPayers } from './services/sql-transaction.ts';
export { METERED_SERVICES, type MeteredService, type Subscription } from './services/subscription.ts';
export { BYTES_IN_CYCLE, PLAN_THEN, recordsThen } from './sql-cycle.ts';
export { waitForUnwatched } from './sql-feed.ts';
export { deleteUsageOfAccount } from './sql-ledger.ts';
export {
  type Bill,
  type BilledBy,
  type BilledCountry,
  type BilledGroup,
  NOTHING_BILLED,
} from './sums/bill.ts';
export { type ReconcileCursor, reconcileUsage } from './sums/reconcile-usage.ts';
export { BillTooLarge, billAccount, billDevices, billLines, sumBills } from './sums/sql-bill.ts';
export {
  findLastUsage,
  findLedgerStart,
  listDevicesWithUsage,
  listUsageDays,
  sumUsageOfDevices,
  type UsageDay,
} from './sums/sql-usage-days.ts';
export { type FeedPolicy, takeUsage } from './take-usage.ts';
export { WireUsageRecord } from './usage-record.ts';
