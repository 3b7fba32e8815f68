import { isAccountName } from '../../kernel/account-name.ts';
import { isSameSku } from '../../kernel/sku-name.ts';
import type { Ctx, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import {
  isPrimaryAccount,
  lockManagedAccount,
  type ManagedAccount,
  type ManagedService,
} from '../accounts/index.ts';
import { managedAccountFaults } from './errors.ts';

/** What a managed account says of the relation that it activates or cancels. */
export interface Activation {
  readonly paccountName: string;
  readonly serviceName: ManagedService;
  readonly skuName: string;
  readonly txid: string;
}

/** Ids are compared as ids: their letters may come in any case. */
export const isTxid = (given: string, expected: string | null): boolean => given.toLowerCase() === expected;

/** The relation as the caller describes it, locked. A primary of another customer is as unknown as one that is none. */
export async function lockRelation(
  { db }: Ctx,
  tenant: Tenant,
  { paccountName, serviceName, skuName }: Activation,
): Promise<ManagedAccount & { readonly state: 'added' | 'provisioned' }> {
  const { ecpdId } = tenant;
  if (!isAccountName(paccountName) || !(await isPrimaryAccount(db, { ecpdId, accountName: paccountName })))
    refuse(managedAccountFaults.primaryNotRegistered);
  const relation = await lockManagedAccount(db, tenant, serviceName);
  if (relation?.paccountName !== paccountName || !isSameSku(relation.skuName, skuName))
    refuse(managedAccountFaults.notProvisioned);
  const { state } = relation;
  if (state === 'cancelled') refuse(managedAccountFaults.notProvisioned);
  return { ...relation, state };
}
