import type { AccountName } from '../../kernel/account-name.ts';
import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { listPrimaries } from '../accounts/index.ts';
import { type Firing, type FiringPage, listFiringPage } from '../firings/index.ts';
import { METERED_SERVICES, type MeteredService } from '../usage/index.ts';
import { usageTriggerFaults } from './errors.ts';
import { findTrigger, listTriggers } from './sql.ts';
import type { UsageTrigger } from './usage-trigger.ts';

/** Whether whoever acts may use an account beside the one of the trigger. */
export type MayUse = (accountName: AccountName) => boolean;

export const accountsOf =
  ({ accounts }: Principal): MayUse =>
  (accountName) =>
    accounts.has(accountName);

/** The services whose use is billed with a primary that is none of the caller's: its triggers are none of theirs. */
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

/** Of what a trigger has fired, also when it is gone: then nobody knows which service it watched, and it may be any. */
export async function requireReader(
  ctx: Ctx,
  tenant: Tenant,
  mayUse: MayUse,
  triggerId: string,
): Promise<void> {
  const trigger = await findTrigger(ctx.db, tenant, triggerId);
  await requireKeeper(ctx, tenant, mayUse, ...(trigger ? [trigger.serviceName] : METERED_SERVICES));
}

/** A trigger of the account that the caller may keep. */
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

/** Those that the caller may keep; refused where there is none for that reason alone. */
export async function listKept(ctx: Ctx, tenant: Tenant, mayUse: MayUse): Promise<readonly UsageTrigger[]> {
  const [triggers, foreign] = [await listTriggers(ctx.db, tenant), await listForeign(ctx, tenant, mayUse)];
  const kept = triggers.filter(({ serviceName }) => !foreign.has(serviceName));
  if (kept.length === 0 && triggers.length > 0) refuse(usageTriggerFaults.notKeeper);
  return kept;
}

/** Also of a trigger that was deleted, as long as its firings are kept. */
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
