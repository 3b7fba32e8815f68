import type { Ctx, Principal, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { listPrimaries } from '../accounts/index.ts';
import { hasCredentialsOf } from '../sessions/index.ts';
import { usageTriggerFaults } from './errors.ts';

/** Triggers are managed with the primary account's credentials: of an account that nobody manages, with its own. */
export async function requirePrimary(ctx: Ctx, principal: Principal, tenant: Tenant): Promise<void> {
  const primaries = await listPrimaries(ctx.db, tenant);
  for (const accountName of primaries.length === 0 ? [tenant.accountName] : primaries)
    if (await hasCredentialsOf(ctx, principal, { ...tenant, accountName })) return;
  refuse(usageTriggerFaults.notPrimary);
}
