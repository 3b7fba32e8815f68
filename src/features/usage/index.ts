export { subscriptionsSection } from './fleet-subscriptions.ts';
export { recordTransactions } from './record-transactions.ts';
export { closeService, isServiceOpen, reopenService } from './service-gate.ts';
export { allowanceOf } from './sku.ts';
export { findSubscription } from './sql-subscription.ts';
export { countTransactions, type DayRange, deleteTransactionsOfAccount } from './sql-transaction.ts';
export { METERED_SERVICES, type MeteredService, type Subscription } from './subscription.ts';
