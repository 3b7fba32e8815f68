import { defineFaults } from '../../platform/context/fault.ts';

const invalid = (message: string) => ({ status: 400, code: 'INVALID_PARAMETER', message });

export const managedAccountFaults = defineFaults({
  notProvisioned: invalid('Acct Not Provisioned With Provided Parameters. Check service & type fields'),
  invalidService: invalid('Invalid Service Name'),
  primaryNotRegistered: invalid('Primary account not registered'),
  /** The transaction id does not belong to the last action of this primary and account. */
  txidMismatch: invalid('Txd Mismatch'),
  noAccess: invalid('UWS account validation failed (contact has no access to the account)'),
});
