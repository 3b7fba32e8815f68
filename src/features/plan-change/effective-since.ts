import { cycleOf, dayFinder } from '../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { findAccount } from '../accounts/index.ts';
import { listArrivals } from '../devices/index.ts';
import type { MovedLine } from '../usage/index.ts';
import type { StoredChange } from './schemas.ts';

async function startOfOpenCycle({ db, now }: Ctx, tenant: Tenant): Promise<number> {
  const account = await findAccount(db, tenant);
  const { dayAt, startOf } = dayFinder(account?.timeZone ?? 'UTC');
  return startOf(cycleOf('Monthly', dayAt(now().getTime()), account?.billCycleDay ?? 1).from);
}

/**
 * When a backdated change begins for each line: with the bill cycle of the account that is open now, because one that has closed
 * stays as it is; with the line where it came to the account later.
 */
export async function effectiveSince(
  ctx: Ctx,
  tenant: Tenant,
  { notBefore }: StoredChange,
  deviceIds: readonly string[],
): Promise<readonly MovedLine[]> {
  const earliest = notBefore === undefined ? 0 : Date.parse(notBefore);
  const start = Math.max(await startOfOpenCycle(ctx, tenant), earliest);
  const arrivals = await listArrivals(ctx.db, tenant, deviceIds);
  return deviceIds.map((deviceId) => {
    const arrivedAt = arrivals.get(deviceId)?.getTime() ?? 0;
    return { deviceId, since: new Date(Math.max(start, arrivedAt)) };
  });
}
