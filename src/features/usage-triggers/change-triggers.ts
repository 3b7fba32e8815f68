import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { limitServices } from '../usage/index.ts';
import { usageTriggerFaults as faults } from './errors.ts';
import { type MayUse, requireKeeper, requireTrigger } from './keep-triggers.ts';
import { parseService, parseTerms } from './parse-trigger.ts';
import type { CreateBody, TriggerBody } from './schemas.ts';
import {
  countTriggers,
  deleteTriggerRow,
  hasOtherWithName,
  insertTrigger,
  listLimits,
  lockTriggersOf,
  updateTriggerRow,
} from './sql.ts';
import { TRIGGERS_PER_ACCOUNT_MAX, type UsageTrigger } from './usage-trigger.ts';

/** Locks the accounts against other changes of triggers. A service is limited while one of its triggers allows no excess. */
export async function changeTriggersOf<T>(
  ctx: Ctx,
  ecpdId: string,
  accountNames: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  await lockTriggersOf(ctx.db, ecpdId, accountNames);
  const changed = await change();
  await limitServices(ctx, ecpdId, accountNames, await listLimits(ctx.db, ecpdId, accountNames));
  return changed;
}

const inAccount = <T>(outer: Ctx, { ecpdId, accountName }: Tenant, change: (ctx: Ctx) => Promise<T>) =>
  inTx(outer, (ctx) => changeTriggersOf(ctx, ecpdId, [accountName], () => change(ctx)));

const DEFAULTS = {
  allowExcess: true,
  sendSms: false,
  smsPhoneNumbers: [],
  sendEmail: false,
  emailAddresses: [],
};

/** Creating a trigger does not fire it: a threshold that was reached before fires with the next use. */
export async function createTrigger(
  outer: Ctx,
  tenant: Tenant,
  body: CreateBody,
  mayUse: MayUse,
): Promise<UsageTrigger> {
  const triggerId = outer.newId();
  const serviceName = parseService(body.serviceName);
  const nameIfNone = (percent: number) => `${serviceName} ${percent} % ${triggerId.slice(0, 8)}`;
  const terms = parseTerms(body, { serviceName, ...DEFAULTS }, nameIfNone);
  return inAccount(outer, tenant, async (ctx) => {
    await requireKeeper(ctx, tenant, mayUse, serviceName);
    if ((await countTriggers(ctx.db, tenant)) >= TRIGGERS_PER_ACCOUNT_MAX) refuse(faults.tooMany);
    const at = ctx.now();
    const trigger = { ...tenant, ...terms, triggerId, version: 1, createdAt: at, updatedAt: at };
    return { ...trigger, ...((await insertTrigger(ctx.db, trigger)) ?? refuse(faults.nameTaken)) };
  });
}

/** Absent fields keep their values. A changed percentage is a new level: it may fire in a month that fired before. */
export const updateTrigger = (
  outer: Ctx,
  tenant: Tenant,
  triggerId: string,
  body: TriggerBody,
  mayUse: MayUse,
): Promise<UsageTrigger> =>
  inAccount(outer, tenant, async (ctx) => {
    const present = await requireTrigger(ctx, tenant, mayUse, triggerId);
    if (body.serviceName !== undefined && parseService(body.serviceName) !== present.serviceName)
      refuse(faults.serviceFixed);
    const terms = parseTerms(body, present, () => present.triggerName);
    if (await hasOtherWithName(ctx.db, tenant, triggerId, terms.triggerName)) refuse(faults.nameTaken);
    const trigger = { ...present, ...terms, version: present.version + 1, updatedAt: ctx.now() };
    return { ...trigger, ...(await updateTriggerRow(ctx.db, trigger)) };
  });

/** Its firings stay on record. */
export const deleteTrigger = (outer: Ctx, tenant: Tenant, triggerId: string, mayUse: MayUse): Promise<void> =>
  inAccount(outer, tenant, async (ctx) => {
    await requireTrigger(ctx, tenant, mayUse, triggerId);
    await deleteTriggerRow(ctx.db, tenant, triggerId);
  });
