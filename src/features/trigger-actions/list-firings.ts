import type { Ctx, Principal } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { type Firing, findFiringTime, listFirings } from '../firings/index.ts';
import {
  findProfileOfVersions,
  idOf,
  pricePlanTriggerFaults,
  viewerOf,
} from '../price-plan-triggers/index.ts';
import { triggerActionFaults } from './errors.ts';
import { type ActionOfFiring, listActionsOf, listProfilesOf } from './sql-firing-action.ts';

const PAGE = 100;

export interface FiringWithActions extends Firing {
  readonly actions: readonly ActionOfFiring[];
}

/** What each of them did, in the order of doing. */
export async function withActions(
  { db }: Ctx,
  firings: readonly Firing[],
): Promise<readonly FiringWithActions[]> {
  if (firings.length === 0) return [];
  const ecpdIds = await listProfilesOf(db, [...new Set(firings.map(({ accountName }) => accountName))]);
  const firingIds = firings.map(({ firingId }) => firingId);
  const actions = Map.groupBy(await listActionsOf(db, ecpdIds, firingIds), ({ firingId }) => firingId);
  return firings.map((firing) => ({ ...firing, actions: actions.get(firing.firingId) ?? [] }));
}

/** Newest first. Also of a trigger that was deleted, as long as what it said is kept. */
export async function listFiringsOf(
  ctx: Ctx,
  user: Principal,
  id: string,
  { limit = PAGE, before }: { readonly limit?: number; readonly before?: string },
): Promise<readonly FiringWithActions[]> {
  const triggerId = idOf(id);
  const ecpdId =
    (await findProfileOfVersions(ctx.db, triggerId, viewerOf(user))) ??
    refuse(pricePlanTriggerFaults.notFound);
  const at = before === undefined ? undefined : await findFiringTime(ctx.db, ecpdId, before);
  if (before !== undefined && at === undefined) refuse(triggerActionFaults.invalidBefore);
  const firings = await listFirings(ctx.db, {
    ecpdId,
    triggerId,
    accountName: undefined,
    before: at && before ? { at, id: before } : undefined,
    limit,
  });
  return withActions(ctx, firings);
}
