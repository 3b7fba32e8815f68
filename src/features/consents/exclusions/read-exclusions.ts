import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { EXCLUSIONS_MAX } from '../consent.ts';
import { requireRegistered } from '../require-registered.ts';
import { toTextTimestamp } from '../wire.ts';
import { findExclusionPage } from './sql-exclusion.ts';

/** An account that never had a list reads as one that excludes nobody. */
export async function readExclusions(ctx: Ctx, tenant: Tenant, startIndex: number) {
  await requireRegistered(ctx, tenant);
  const page = await findExclusionPage(ctx.db, tenant, { startIndex, limit: EXCLUSIONS_MAX });
  const { identifiers = [], totalCount = 0 } = page ?? {};
  return {
    accountName: tenant.accountName,
    allDevice: page?.allDevice ?? false,
    exclusion: identifiers,
    hasMoreData: startIndex + identifiers.length < totalCount,
    totalCount,
    updateTime: page === undefined ? '' : toTextTimestamp(page.updatedAt),
  };
}
