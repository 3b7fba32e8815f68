import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import {
  countManagedByState,
  listManagedPage,
  listRelations,
  type ManagedService,
} from '../accounts/index.ts';
import { isPrimarySession } from './require-credentials.ts';

interface Page {
  readonly serviceName: ManagedService;
  /** The last account of the previous page. */
  readonly after: string;
  readonly limit: number;
}

/** Relations in both directions. The managed accounts are listed only for callers who may act as the primary account. */
export async function listBothSides(
  ctx: Ctx,
  tenant: Tenant,
  { serviceName, after, limit }: Page,
  user: Principal,
) {
  const own = await listRelations(ctx.db, tenant, serviceName);
  const mayManage = await isPrimarySession(ctx, user, tenant);
  if (!mayManage) return { own, mayManage, accounts: [], added: 0, provisioned: 0 };
  const [found, { added, provisioned }] = await Promise.all([
    listManagedPage(ctx.db, tenant, { serviceName, after, limit: limit + 1 }),
    countManagedByState(ctx.db, tenant, serviceName),
  ]);
  const accounts = found.slice(0, limit);
  const last = accounts.at(-1);
  const goesOn = found.length > limit && last && { next: last.accountName };
  return { own, mayManage, accounts, added, provisioned, ...goesOn };
}
