import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { isManagedAccount } from '../accounts/index.ts';
import { isHomeAccount } from '../sessions/index.ts';
import { managedAccountFaults } from './errors.ts';

/**
 * Any session with access to the account acts as the primary, even before the account manages its first one: the order of
 * actions must not matter. For an account that is activated with another one, only its own users act.
 */
export async function isPrimarySession({ db }: Ctx, user: Principal, tenant: Tenant): Promise<boolean> {
  if (isHomeAccount(user, tenant)) return true;
  return user.accounts.has(tenant.accountName) && !(await isManagedAccount(db, tenant));
}

export async function requirePrimary(ctx: Ctx, user: Principal, tenant: Tenant): Promise<void> {
  if (!(await isPrimarySession(ctx, user, tenant))) refuse(managedAccountFaults.noAccess);
}

/** Only the account's own users may agree to being billed with another account, not users of several accounts. */
export function requireManaged(user: Principal, tenant: Tenant): void {
  if (!isHomeAccount(user, tenant)) refuse(managedAccountFaults.noAccess);
}
