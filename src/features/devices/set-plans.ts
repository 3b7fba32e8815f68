import type { Ctx, Tenant } from '../../platform/context.ts';
import { type ChangedBy, updatePlans } from './sql-plan.ts';

/**
 * Puts devices of an account on plans, and keeps the history. Call it in the transaction that has locked them. `since` may
 * lie in the past; now when absent. Any number in one statement.
 */
export async function setPlans(
  ctx: Ctx,
  tenant: Tenant,
  changes: readonly { readonly deviceId: string; readonly planCode: string; readonly since?: Date }[],
  changedBy: ChangedBy,
): Promise<void> {
  if (changes.length === 0) return;
  const at = ctx.now();
  const dated = changes.map(({ deviceId, planCode, since = at }) => ({ deviceId, planCode, since }));
  await updatePlans(ctx, tenant, dated, changedBy);
}
