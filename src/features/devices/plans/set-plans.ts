import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { type ChangedBy, type PlanChange, updatePlans } from './sql-plan.ts';

/**
 * Puts devices of an account on plans, and keeps the history. Call it in the transaction that has locked them. Any number
 * in one statement.
 */
export async function setPlans(
  ctx: Ctx,
  tenant: Tenant,
  changes: readonly PlanChange[],
  changedBy: ChangedBy,
): Promise<void> {
  if (changes.length === 0) return;
  await updatePlans(ctx, tenant, changes, changedBy);
}
