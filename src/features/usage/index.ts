export {
  byAccountAndPlan,
  type CountedUsage,
  type CounterChange,
  type Step,
  type Wanted,
} from './counted-usage.ts';
export {
  type CountedRecord,
  exactSumOf,
  type LedgerAccount,
  type LedgerRecord,
  planOf,
  timeliness,
} from './ledger.ts';
export { countMovable, moveUsage, prepareMove } from './moving/move-usage.ts';
export { LineHasLeft } from './moving/replan-records.ts';
export { type MovedLine, noteLeft } from './moving/sql-move.ts';
export { shareLevels } from './moving/sql-seen-moves.ts';
export { replayDays } from './replay/replay-days.ts';
export { type LedgerReplay, type Replay, type Replayed, replayLedger } from './replay/replay-ledger.ts';
export { replayPools } from './replay/replay-pools.ts';
export { subscriptionsSection } from './services/fleet-subscriptions.ts';
export { recordTransactions } from './services/record-transactions.ts';
export { isServiceOpen, listServiceStates } from './services/service-gate.ts';
export {
  countOwnUses,
  type DayRange,
  listPaidUses,
  listStatementLines,
  type StatementLine,
} from './services/sql-statement.ts';
export { findSubscription, limitServices, listSubscriptions } from './services/sql-subscription.ts';
export { deleteTransactionsOfAccount, holdPayers } from './services/sql-transaction.ts';
export {
  allowanceOf,
  METERED_SERVICES,
  type MeteredService,
} from './services/subscription.ts';
export {
  BYTES_IN_CYCLE,
  bytesOfMember,
  bytesOfMemberThen,
  dateOfColumn,
  isDayOfMember,
  isIn,
  MONTHS_IN_CYCLE,
  PLAN_THEN,
  piecesColumn,
  recordsThen,
} from './sql-cycle.ts';
export { deleteBatches, lockAccounts, waitForUnwatched } from './sql-feed.ts';
export { RepeatingFeeds } from './sql-insert-records.ts';
export { deleteRecordsOfAccount, deleteUsageOfAccount } from './sql-ledger.ts';
export {
  type Bill,
  type BilledBy,
  type BilledCountry,
  type BilledGroup,
  NOTHING_BILLED,
} from './sums/bill.ts';
export { type ReconcileCursor, reconcileUsage } from './sums/reconcile-usage.ts';
export {
  BillTooLarge,
  billAccount,
  billDevices,
  billLines,
  countAccountsBilledBy,
  sumBills,
} from './sums/sql-bill.ts';
export {
  findLastUsage,
  findLedgerStart,
  listDevicesWithUsage,
  listUsageDays,
  sumUsageOfDevices,
} from './sums/sql-usage-days.ts';
export { type FeedPolicy, takeUsage, takeUsageBatches } from './take-usage.ts';
export type { MoveWatcher, ServiceChange, UsageEvaluator, WatchServices } from './usage-evaluator.ts';
export { parseUsageRecord, type UsageRecord } from './usage-record.ts';
export type { Part } from './write-records.ts';
export { prepareRecords, writeWithin } from './write-within.ts';
