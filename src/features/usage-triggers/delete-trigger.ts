import { type Ctx, inTx, type Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { usageTriggerFaults } from './errors.ts';
import { limitByTriggers } from './limit-by-triggers.ts';
import { deleteTriggerRow, lockTriggersOf } from './sql.ts';

/** What it has fired stays on record. */
export const deleteTrigger = (outer: Ctx, tenant: Tenant, triggerId: string): Promise<void> =>
  inTx(outer, async (ctx) => {
    await lockTriggersOf(ctx.db, tenant.ecpdId, [tenant.accountName]);
    if ((await deleteTriggerRow(ctx.db, tenant, triggerId)) === 0) refuse(usageTriggerFaults.notFound);
    await limitByTriggers(ctx, tenant.ecpdId, [tenant.accountName]);
  });
