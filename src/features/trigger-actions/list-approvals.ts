import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { areActionsPaused, listFiringsById, nameLines } from '../firings/index.ts';
import type { Viewer } from '../price-plan-triggers/index.ts';
import { toWireFiring, withActions } from './list-firings.ts';
import { type AskedPage, listAsked } from './sql-asked.ts';

/** The firings of the account that wait for the viewer's approval, the next to expire first; `isFollowed` if there are more. */
export async function listApprovals(ctx: Ctx, tenant: Tenant, { limit, ...page }: Omit<AskedPage, 'now'>) {
  const { db, now } = ctx;
  const found = await listAsked(db, tenant, { ...page, now: now(), limit: limit + 1 });
  const asked = found.slice(0, limit);
  const firings = await listFiringsById(
    db,
    tenant.ecpdId,
    asked.map(({ firingId }) => firingId),
  );
  const named = await withActions(ctx, await nameLines(db, tenant.ecpdId, firings));
  const known = new Map(named.map((firing) => [firing.firingId, firing]));
  return {
    paused: await areActionsPaused(ctx),
    isFollowed: found.length > limit,
    approvals: asked.flatMap(({ firingId, approvableTo, triggerName, isThere }) => {
      const firing = known.get(firingId);
      return firing === undefined ? [] : [{ ...toWireFiring(firing), triggerName, isThere, approvableTo }];
    }),
  };
}

/** How many firings wait for the viewer's approval, counted up to `most`. */
export const countApprovals = async (
  { db, now }: Ctx,
  tenant: Tenant,
  viewer: Viewer | undefined,
  most: number,
): Promise<number> => (await listAsked(db, tenant, { viewer, now: now(), limit: most })).length;
