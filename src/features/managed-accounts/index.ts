export { addAccounts } from './add-accounts.ts';
export { cancelAccount } from './cancel-account.ts';
export { managedAccountFaults } from './errors.ts';
export { getStatement } from './list-accounts.ts';
export { ADD_MAX } from './managed-account.ts';
export { provisionAccount } from './provision-account.ts';
export { isPrimarySession } from './require-credentials.ts';
export { StatementParams, WireStatement } from './schemas.ts';
export { toWireStatement } from './wire.ts';
