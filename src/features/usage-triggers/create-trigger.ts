import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { usageTriggerFaults } from './errors.ts';
import { type MayUse, requireKeeper } from './keep-triggers.ts';
import { limitByTriggers } from './limit-by-triggers.ts';
import { readService, readTerms } from './read-trigger.ts';
import type { CreateBody } from './schemas.ts';
import { countTriggers, insertTrigger, lockTriggersOf } from './sql.ts';
import { TRIGGERS_PER_ACCOUNT_MAX, type UsageTrigger } from './usage-trigger.ts';

/** It does not fire by itself: a threshold that is reached already fires with the next use. */
export const createTrigger = (
  outer: Ctx,
  tenant: Tenant,
  body: CreateBody,
  mayUse: MayUse,
): Promise<UsageTrigger> =>
  inTx(outer, async (ctx) => {
    const triggerId = ctx.newId();
    const serviceName = readService(body.serviceName);
    const defaults = {
      serviceName,
      allowExcess: true,
      sendSms: false,
      smsPhoneNumbers: [],
      sendEmail: false,
      emailAddresses: [],
    };
    const terms = readTerms(
      body,
      defaults,
      (percent) => `${serviceName} ${percent} % ${triggerId.slice(0, 8)}`,
    );
    await lockTriggersOf(ctx.db, tenant.ecpdId, [tenant.accountName]);
    await requireKeeper(ctx, tenant, mayUse, serviceName);
    if ((await countTriggers(ctx.db, tenant)) >= TRIGGERS_PER_ACCOUNT_MAX) refuse(usageTriggerFaults.tooMany);
    const at = ctx.now();
    const trigger = { ...tenant, ...terms, triggerId, version: 1, createdAt: at, updatedAt: at };
    const kept = (await insertTrigger(ctx.db, trigger)) ?? refuse(usageTriggerFaults.nameTaken);
    await limitByTriggers(ctx, tenant.ecpdId, [tenant.accountName]);
    return { ...trigger, ...kept };
  });
