import type { Ctx } from '../../platform/context.ts';
import { insertTransactions, type Transaction } from './sql-transaction.ts';

/**
 * Call it in the transaction that made the use a fact: what is billed and what was done commit together. The same
 * device of the same request counts once, however often it is recorded.
 */
export async function recordTransactions(
  { db }: Ctx,
  ecpdId: string,
  transactions: readonly Transaction[],
): Promise<void> {
  if (transactions.length > 0) await insertTransactions(db, ecpdId, transactions);
}
