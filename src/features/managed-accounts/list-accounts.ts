import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { listManagedAccounts, type ManagedAccount, type ManagedService } from '../accounts/index.ts';
import { allowanceOf, findSubscription, listStatementLines, type StatementLine } from '../usage/index.ts';
import type { ListedState } from './managed-account.ts';
import { requirePrimary } from './require-credentials.ts';

export type ListedAccounts = Readonly<Record<ListedState, readonly ManagedAccount[]>>;

/** Both lists are empty for an account that manages none. One snapshot, so each account is in exactly one list. */
export async function listAccounts(
  ctx: Ctx,
  tenant: Tenant,
  { serviceName, states }: { serviceName: ManagedService; states: readonly ListedState[] },
  user: Principal,
): Promise<ListedAccounts> {
  await requirePrimary(ctx, user, tenant);
  return ctx.db.tx(
    async (db) => {
      const list = async (state: ListedState) =>
        states.includes(state) ? listManagedAccounts(db, tenant, { serviceName, state }) : [];
      return { added: await list('added'), provisioned: await list('provisioned') };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

export interface Statement {
  readonly skuName: string;
  readonly allowed: number;
  readonly lines: readonly StatementLine[];
  /** The sum of the lines. */
  readonly total: bigint;
}

/**
 * What a primary account is billed for in a calendar month of its time zone. A use is on the statement of the account
 * that paid when it was recorded; later activations or cancellations do not move it.
 */
export async function getStatement(
  { db }: Ctx,
  tenant: Tenant,
  { serviceName, month }: { readonly serviceName: ManagedService; readonly month: string },
): Promise<Statement> {
  const [subscription, lines] = await Promise.all([
    findSubscription(db, tenant, serviceName),
    listStatementLines(db, tenant, { serviceName, month }),
  ]);
  const skuName = subscription?.skuName ?? '';
  return {
    skuName,
    allowed: allowanceOf(skuName, subscription?.allowance ?? null),
    lines,
    total: lines.reduce((sum, { transactions }) => sum + transactions, 0n),
  };
}
