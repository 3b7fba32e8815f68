import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { type MayUse, requireTrigger } from './keep-triggers.ts';
import { limitByTriggers } from './limit-by-triggers.ts';
import { deleteTriggerRow, lockTriggersOf } from './sql.ts';

/** What it has fired stays on record. */
export const deleteTrigger = (outer: Ctx, tenant: Tenant, triggerId: string, mayUse: MayUse): Promise<void> =>
  inTx(outer, async (ctx) => {
    await lockTriggersOf(ctx.db, tenant.ecpdId, [tenant.accountName]);
    await requireTrigger(ctx, tenant, mayUse, triggerId);
    await deleteTriggerRow(ctx.db, tenant, triggerId);
    await limitByTriggers(ctx, tenant.ecpdId, [tenant.accountName]);
  });
