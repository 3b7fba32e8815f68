import type { Ctx, Principal, Tenant } from '../../../../platform/context/context.ts';
import { countManagedByState, listManagedPage, type ManagedService } from '../../../accounts/index.ts';
import { requirePrimary } from '../../../managed-accounts/index.ts';
import {
  allowanceOf,
  findSubscription,
  listStatementLines,
  sumStatementLines,
} from '../../../usage/index.ts';
import { PAGE_MAX } from '../../schemas.ts';

/** Accounts of a primary, by name; the numbers are of all. */
export async function listManaged(
  ctx: Ctx,
  tenant: Tenant,
  {
    serviceName,
    page: after = '',
    limit = PAGE_MAX,
  }: { serviceName: ManagedService; page?: string | undefined; limit?: number | undefined },
  user: Principal,
) {
  await requirePrimary(ctx, user, tenant);
  const [found, { added, provisioned }] = await Promise.all([
    listManagedPage(ctx.db, tenant, { serviceName, after, limit: limit + 1 }),
    countManagedByState(ctx.db, tenant, serviceName),
  ]);
  const accounts = found.slice(0, limit);
  const last = accounts.at(-1);
  return { accounts, added, provisioned, ...(found.length > limit && last && { next: last.accountName }) };
}

/** What a primary is billed for in a month: its own use first, then by account. */
export async function readStatementPage(
  ctx: Ctx,
  tenant: Tenant,
  { serviceName, month, from }: { serviceName: ManagedService; month: string; from: number },
  user: Principal,
) {
  await requirePrimary(ctx, user, tenant);
  const { db } = ctx;
  const asked = { serviceName, month };
  const [subscription, found, total] = await Promise.all([
    findSubscription(db, tenant, serviceName),
    listStatementLines(db, tenant, asked, { from, limit: PAGE_MAX + 1 }),
    sumStatementLines(db, tenant, asked),
  ]);
  const skuName = subscription?.skuName ?? '';
  return {
    skuName,
    allowed: allowanceOf(skuName, subscription?.allowance ?? null),
    total: Number(total),
    lines: found
      .slice(0, PAGE_MAX)
      .map(({ accountName, transactions }) => ({ accountName, transactions: Number(transactions) })),
    ...(found.length > PAGE_MAX && { next: from + PAGE_MAX }),
  };
}
