import type { AccountName } from '../../kernel/account-name.ts';
import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { listPrimaries } from '../accounts/index.ts';
import { type Firing, type FiringPage, listFiringPage } from '../firings/index.ts';
import { METERED_SERVICES, type MeteredService } from '../usage/index.ts';
import { usageTriggerFaults } from './errors.ts';
import { findTrigger, listTriggers } from './sql.ts';
import type { UsageTrigger } from './usage-trigger.ts';

/** Whether the user may use an account other than the trigger's own. */
export type MayUse = (accountName: AccountName) => boolean;

export const accountsOf =
  ({ accounts }: Principal): MayUse =>
  (accountName) =>
    accounts.has(accountName);

/** The services billed to a primary account that the caller may not use, who therefore may not manage their triggers. */
async function listForeign(
  { db }: Ctx,
  tenant: Tenant,
  mayUse: MayUse,
): Promise<ReadonlySet<MeteredService>> {
  const primaries = await listPrimaries(db, tenant);
  return new Set(
    primaries.flatMap(({ serviceName, paccountName }) => (mayUse(paccountName) ? [] : [serviceName])),
  );
}

export async function requireKeeper(
  ctx: Ctx,
  tenant: Tenant,
  mayUse: MayUse,
  ...watched: readonly MeteredService[]
): Promise<void> {
  const foreign = await listForeign(ctx, tenant, mayUse);
  if (watched.some((serviceName) => foreign.has(serviceName))) refuse(usageTriggerFaults.notKeeper);
}

/** Checks access to a trigger's firings. The service of a deleted trigger is unknown, so the caller needs access to all. */
export async function requireReader(
  ctx: Ctx,
  tenant: Tenant,
  mayUse: MayUse,
  triggerId: string,
): Promise<void> {
  const trigger = await findTrigger(ctx.db, tenant, triggerId);
  await requireKeeper(ctx, tenant, mayUse, ...(trigger ? [trigger.serviceName] : METERED_SERVICES));
}

/** Returns a trigger of the account that the caller may manage. */
export async function requireTrigger(
  ctx: Ctx,
  tenant: Tenant,
  mayUse: MayUse,
  triggerId: string,
): Promise<UsageTrigger> {
  const trigger = (await findTrigger(ctx.db, tenant, triggerId)) ?? refuse(usageTriggerFaults.notFound);
  await requireKeeper(ctx, tenant, mayUse, trigger.serviceName);
  return trigger;
}

/** Lists the triggers that the caller may manage; refused if there are triggers and the caller may manage none. */
export async function listKept(ctx: Ctx, tenant: Tenant, mayUse: MayUse): Promise<readonly UsageTrigger[]> {
  const [triggers, foreign] = [await listTriggers(ctx.db, tenant), await listForeign(ctx, tenant, mayUse)];
  const kept = triggers.filter(({ serviceName }) => !foreign.has(serviceName));
  if (kept.length === 0 && triggers.length > 0) refuse(usageTriggerFaults.notKeeper);
  return kept;
}

/** Lists the firings of a trigger, also after its deletion, for as long as its firings are kept. */
export async function listTriggerFirings(
  { db }: Ctx,
  tenant: Tenant,
  triggerId: string,
  page: FiringPage,
): Promise<Firing[]> {
  const firings =
    (await listFiringPage(db, { ...tenant, triggerId }, page)) ?? refuse(usageTriggerFaults.invalidBefore);
  if (firings.length === 0 && (await findTrigger(db, tenant, triggerId)) === undefined)
    refuse(usageTriggerFaults.notFound);
  return firings;
}
