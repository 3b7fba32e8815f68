import type { Ctx, Principal, Tenant } from '../../platform/context.ts';
import { isPrimaryAccount } from '../accounts/index.ts';

/** For calls that only the account itself may make, also when it manages others. */
export function isHomeAccount({ accounts }: Principal, { accountName }: Tenant): boolean {
  const [home] = accounts.keys();
  return home === accountName;
}

/**
 * Whether a session counts as made with the account's credentials: the account is the user's home,
 * or it is a primary account that the user may use.
 */
export async function hasCredentialsOf({ db }: Ctx, user: Principal, tenant: Tenant): Promise<boolean> {
  if (isHomeAccount(user, tenant)) return true;
  return user.accounts.has(tenant.accountName) && (await isPrimaryAccount(db, tenant));
}
