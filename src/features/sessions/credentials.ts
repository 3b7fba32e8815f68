import type { Ctx, Principal, Tenant } from '../../platform/context.ts';
import { isPrimaryAccount } from '../accounts/index.ts';

/**
 * Whether a session counts as made with the account's credentials: the account is the user's home,
 * or it is a primary account that the user may use.
 */
export async function hasCredentialsOf(
  { db }: Ctx,
  { accounts }: Principal,
  tenant: Tenant,
): Promise<boolean> {
  const [home] = accounts.keys();
  if (home === tenant.accountName) return true;
  return accounts.has(tenant.accountName) && (await isPrimaryAccount(db, tenant));
}
