export type { Account } from './account.ts';
export { accountsSection } from './fleet-accounts.ts';
export { managedAccountsSection } from './fleet-managed-accounts.ts';
export { profilesSection } from './fleet-profiles.ts';
export {
  deleteAccount,
  findAccount,
  findAccountByName,
  findManagedAccount,
  isPrimaryAccount,
  listAccounts,
  listManagedAccounts,
  lockAccount,
  type ManagedAccount,
} from './sql.ts';
