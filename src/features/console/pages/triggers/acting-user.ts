import { type AccountName, isAccountName } from '../../../../kernel/account-name.ts';
import type { Ctx, Principal, Tenant, Viewer } from '../../../../platform/context/context.ts';
import { sql } from '../../../../platform/db/sql.ts';
import { accountsOf, type MayUse } from '../../../usage-triggers/index.ts';
import { principalFor } from '../../session/viewed-accounts.ts';

const ACCOUNTS_MAX = 10_000;

/**
 * Price plan triggers are of a profile: what is on a group share asks for all of its accounts, so an operator has those
 * and not only the one that the page is about.
 */
export async function actorOf({ db }: Ctx, viewer: Viewer, tenant: Tenant): Promise<Principal> {
  const principal = principalFor(viewer, tenant);
  if (viewer.kind === 'user') return principal;
  const accounts = await db.many<{ accountName: string }>(sql`
    select account_name as "accountName" from account where ecpd_id = ${tenant.ecpdId}
    order by account_name limit ${ACCOUNTS_MAX}`);
  const names = accounts.map(({ accountName }) => accountName).filter(isAccountName);
  return {
    ...principal,
    accounts: new Map<AccountName, typeof tenant.ecpdId>(names.map((name) => [name, tenant.ecpdId])),
  };
}

/** Of users the interface asks whether they may use the primary account, too; operators see every account. */
export const mayUseOf = (viewer: Viewer): MayUse =>
  viewer.kind === 'user' ? accountsOf(viewer.principal) : () => true;
