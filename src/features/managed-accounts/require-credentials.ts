import type { Ctx, Principal, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { isManagedAccount } from '../accounts/index.ts';
import { hasCredentialsOf, isHomeAccount } from '../sessions/index.ts';
import { managedAccountFaults } from './errors.ts';

/**
 * Any session that may use the account acts as the primary, also before it manages its first account: afterwards it could,
 * and who comes first must not matter. Only an account that others manage speaks for itself alone.
 */
export async function requirePrimary(ctx: Ctx, user: Principal, tenant: Tenant): Promise<void> {
  if (await hasCredentialsOf(ctx, user, tenant)) return;
  if (await isManagedAccount(ctx.db, tenant)) refuse(managedAccountFaults.noAccess);
}

/** To be billed with another is agreed to by the account itself, never by a user who may use it beside others. */
export function requireManaged(user: Principal, tenant: Tenant): void {
  if (!isHomeAccount(user, tenant)) refuse(managedAccountFaults.noAccess);
}
