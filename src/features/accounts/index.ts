export type { Account } from './account.ts';
export { accountsSection, movesCycles } from './fleet-accounts.ts';
export { managedAccountsSection } from './fleet-managed-accounts.ts';
export { profilesSection } from './fleet-profiles.ts';
export { MANAGED_SERVICES, type ManagedAccount, type ManagedService } from './managed-account.ts';
export { deleteAccount, findAccount, findAccountByName, listAccounts, lockAccount } from './sql.ts';
export {
  addManagedAccounts,
  type Candidate,
  cancelManagedAccount,
  countManagedAccounts,
  countManagedByState,
  findManagedAccount,
  isManagedAccount,
  isPrimaryAccount,
  listManagedAccounts,
  listManagedPage,
  listPrimaries,
  lockCandidates,
  lockManagedAccount,
  MANAGED_MAX,
  provisionManagedAccount,
} from './sql-managed.ts';
