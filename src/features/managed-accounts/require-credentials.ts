import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { isManagedAccount } from '../accounts/index.ts';
import { isHomeAccount } from '../sessions/index.ts';
import { managedAccountFaults } from './errors.ts';

/**
 * Any session that may use the account acts as the primary, also before it manages its first account: afterwards it could,
 * and who comes first must not matter. Only an account that is activated with another speaks for itself alone.
 */
export async function isPrimarySession({ db }: Ctx, user: Principal, tenant: Tenant): Promise<boolean> {
  if (isHomeAccount(user, tenant)) return true;
  return user.accounts.has(tenant.accountName) && !(await isManagedAccount(db, tenant));
}

export async function requirePrimary(ctx: Ctx, user: Principal, tenant: Tenant): Promise<void> {
  if (!(await isPrimarySession(ctx, user, tenant))) refuse(managedAccountFaults.noAccess);
}

/** To be billed with another is agreed to by the account itself, never by a user who may use it beside others. */
export function requireManaged(user: Principal, tenant: Tenant): void {
  if (!isHomeAccount(user, tenant)) refuse(managedAccountFaults.noAccess);
}
