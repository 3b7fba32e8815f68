export type { Account } from './account.ts';
export { MANAGED_SERVICES, type ManagedAccount, type ManagedService } from './account.ts';
export { accountsSection } from './fleet-accounts.ts';
export { managedAccountsSection } from './fleet-managed-accounts.ts';
export { profilesSection } from './fleet-profiles.ts';
export {
  BOUNDARIES,
  closeAccount,
  deleteAccount,
  deleteProfile,
  findAccount,
  findAccountByName,
  findCustomer,
  isClosed,
  isFoundBy,
  listAccountNames,
  listAccounts,
  listClosedAccounts,
  listCustomers,
  lockAccount,
  lockProfile,
} from './sql.ts';
export {
  countManagedByState,
  findActivation,
  hasAddedAccount,
  isManagedAccount,
  isPrimaryAccount,
  listManagedAccounts,
  listManagedPage,
  listPrimaries,
  listRelations,
  MANAGED_MAX,
} from './sql-managed.ts';
export {
  addManagedAccounts,
  type Candidate,
  cancelManagedAccount,
  countManagedAccounts,
  endOtherAdditions,
  holdAccounts,
  listAdded,
  listCandidates,
  lockManaged,
  lockManaging,
  lockRelation,
  provisionManagedAccount,
  type Relation,
  setPeriods,
} from './sql-managing.ts';
