import type { Ctx, Principal, Tenant } from '../../../../platform/context.ts';
import type { ManagedService } from '../../../accounts/index.ts';
import { listAccounts, readStatement, requirePrimary } from '../../../managed-accounts/index.ts';
import { PAGE_MAX } from '../../schemas.ts';

/** Accounts of a primary, by name; the numbers are of all. */
export async function listManaged(
  ctx: Ctx,
  tenant: Tenant,
  {
    serviceName,
    page = '',
    limit = PAGE_MAX,
  }: { serviceName: ManagedService; page?: string | undefined; limit?: number | undefined },
  user: Principal,
) {
  const { added, provisioned } = await listAccounts(ctx, tenant, { serviceName }, user);
  const rest = [...added, ...provisioned]
    .filter(({ accountName }) => accountName > page)
    .sort((a, b) => (a.accountName < b.accountName ? -1 : 1));
  const accounts = rest.slice(0, limit);
  const last = accounts.at(-1);
  return {
    accounts,
    added: added.length,
    provisioned: provisioned.length,
    ...(rest.length > limit && last && { next: last.accountName }),
  };
}

/** What a primary is billed for in a month: its own use first, then by account. */
export async function readStatementPage(
  ctx: Ctx,
  tenant: Tenant,
  { serviceName, month, from }: { serviceName: ManagedService; month: string; from: number },
  user: Principal,
) {
  await requirePrimary(ctx, user, tenant);
  const { skuName, allowed, lines, total } = await readStatement(ctx, tenant, { serviceName, month });
  const to = from + PAGE_MAX;
  return {
    skuName,
    allowed,
    total: Number(total),
    lines: lines
      .slice(from, to)
      .map(({ accountName, transactions }) => ({ accountName, transactions: Number(transactions) })),
    ...(to < lines.length && { next: to }),
  };
}
