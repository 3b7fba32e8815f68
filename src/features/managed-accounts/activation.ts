import { isAccountName } from '../../kernel/account-name.ts';
import { isSameSku } from '../../kernel/sku-name.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import {
  isPrimaryAccount,
  type ManagedAccount,
  type ManagedService,
  type Relation,
} from '../accounts/index.ts';
import { managedAccountFaults } from './errors.ts';

/** What the caller says of the relation that is activated or cancelled. */
export interface Activation {
  readonly paccountName: string;
  readonly serviceName: ManagedService;
  readonly skuName: string;
  readonly txid: string;
}

/** Ids are compared as ids: their letters may come in any case. */
export const isTxid = (given: string, expected: string | null): boolean => given.toLowerCase() === expected;

/** Whose relation it is. A primary of another customer is as unknown as one that is none. */
export async function requireRelation(
  { db }: Ctx,
  tenant: Tenant,
  { paccountName, serviceName }: Activation,
): Promise<Relation> {
  const { ecpdId } = tenant;
  if (!isAccountName(paccountName) || !(await isPrimaryAccount(db, { ecpdId, accountName: paccountName })))
    refuse(managedAccountFaults.primaryNotRegistered);
  return { ...tenant, paccountName, serviceName };
}

/** What is kept of it has to be what the caller describes. */
export function requireDescribed(kept: ManagedAccount | undefined, { skuName }: Activation): ManagedAccount {
  if (kept === undefined || !isSameSku(kept.skuName, skuName)) refuse(managedAccountFaults.notProvisioned);
  return kept;
}
