import type { Principal, Tenant } from '../../platform/context/context.ts';

/** Of calls that only the account itself may make: its users are those who have it as the first in their list. */
export function isHomeAccount({ accounts }: Principal, { accountName }: Tenant): boolean {
  const [home] = accounts.keys();
  return home === accountName;
}
