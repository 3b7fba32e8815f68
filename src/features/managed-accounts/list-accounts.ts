import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { listManagedAccounts, type ManagedAccount, type ManagedService } from '../accounts/index.ts';
import { LISTED_STATES, type ListedState } from './managed-account.ts';
import { requirePrimary } from './require-credentials.ts';

export type ListedAccounts = Readonly<Record<ListedState, readonly ManagedAccount[]>>;

/** Of an account that manages nobody both lists are empty. Read as of one moment: no account is in both, or in neither. */
export async function listAccounts(
  ctx: Ctx,
  tenant: Tenant,
  { serviceName, states = LISTED_STATES }: { serviceName: ManagedService; states?: readonly ListedState[] },
  user: Principal,
): Promise<ListedAccounts> {
  await requirePrimary(ctx, user, tenant);
  return ctx.db.tx(
    async (db) => {
      const read = async (state: ListedState) =>
        states.includes(state) ? listManagedAccounts(db, tenant, { serviceName, state }) : [];
      return { added: await read('added'), provisioned: await read('provisioned') };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
