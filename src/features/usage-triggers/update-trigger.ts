import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { usageTriggerFaults } from './errors.ts';
import { type MayUse, requireTrigger } from './keep-triggers.ts';
import { limitByTriggers } from './limit-by-triggers.ts';
import { readService, readTerms } from './read-trigger.ts';
import type { TriggerBody } from './schemas.ts';
import { hasOtherWithName, lockTriggersOf, updateTriggerRow } from './sql.ts';
import type { UsageTrigger } from './usage-trigger.ts';

/** Fields that are absent stay as they are. A changed percentage is a new level: it may fire in a month that fired before. */
export const updateTrigger = (
  outer: Ctx,
  tenant: Tenant,
  triggerId: string,
  body: TriggerBody,
  mayUse: MayUse,
): Promise<UsageTrigger> =>
  inTx(outer, async (ctx) => {
    await lockTriggersOf(ctx.db, tenant.ecpdId, [tenant.accountName]);
    const present = await requireTrigger(ctx, tenant, mayUse, triggerId);
    if (body.serviceName !== undefined && readService(body.serviceName) !== present.serviceName)
      refuse(usageTriggerFaults.serviceFixed);
    const terms = readTerms(body, present, () => present.triggerName);
    if (await hasOtherWithName(ctx.db, tenant, triggerId, terms.triggerName))
      refuse(usageTriggerFaults.nameTaken);
    const trigger = { ...present, ...terms, version: present.version + 1, updatedAt: ctx.now() };
    const kept = await updateTriggerRow(ctx.db, trigger);
    await limitByTriggers(ctx, tenant.ecpdId, [tenant.accountName]);
    return { ...trigger, ...kept };
  });
