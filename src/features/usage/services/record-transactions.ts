import { addDays } from '../../../kernel/bill-cycle.ts';
import { type Boundaries, calendarOf } from '../../../kernel/calendar.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { timeliness } from '../ledger.ts';
import type { ServiceChange, WatchServices } from '../usage-evaluator.ts';
import { holdPayers, insertTransactions, type Transaction } from './sql-transaction.ts';

/** A month such as 2026-01, as instants: those at which its dates began. */
function spanOf(month: string, account: Boundaries): { from: Date; to: Date } {
  const first = `${month}-01`;
  const { startOf } = calendarOf(account);
  return {
    from: new Date(startOf(first)),
    to: new Date(startOf(`${addDays(first, 31).slice(0, 7)}-01`)),
  };
}

/**
 * Call this in the transaction that performed the use: the bill, the use itself and what triggers do commit together.
 * The same device of the same request counts once, however often it is recorded.
 */
export async function recordTransactions(
  ctx: Ctx,
  ecpdId: string,
  transactions: readonly Transaction[],
  watch: WatchServices,
): Promise<void> {
  if (transactions.length === 0) return;
  const nowMs = ctx.now().getTime();
  await holdPayers(ctx.db, ecpdId, [...new Set(transactions.map(({ accountName }) => accountName))]);
  const counted = await insertTransactions(ctx.db, ecpdId, transactions);
  const changes = counted.flatMap(
    ({ nths, after, timeZone, billCycleDay, boundaries, ...counter }): ServiceChange[] => {
      const cycle = spanOf(counter.month, { timeZone, billCycleDay, boundaries });
      const lateness = timeliness(cycle.to.getTime(), nowMs);
      if (lateness === 'over') return [];
      const refs = nths.map((nth) => transactions[nth - 1]!.requestRef);
      const before = Number(after) - nths.length;
      return [{ ...counter, timeZone, cycle, late: lateness === 'late', before, after: Number(after), refs }];
    },
  );
  if (changes.length > 0) await watch(ctx, ecpdId, changes);
}
