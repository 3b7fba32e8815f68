import type { Ctx, Principal } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { type Firing, type FiringPage, listFiringPage, nameLines } from '../firings/index.ts';
import {
  findProfileOfVersions,
  idOf,
  pricePlanTriggerFaults,
  viewerOf,
} from '../price-plan-triggers/index.ts';
import { triggerActionFaults } from './errors.ts';
import type { WireAction } from './schemas.ts';
import { type ActionOfFiring, listActionsOf, listProfilesOf } from './sql-firing-action.ts';

type WithActions<F extends Firing> = F & { readonly actions: readonly ActionOfFiring[] };
type NamedFiring = Firing & { readonly deviceName?: string };

/** Adds the actions of each firing, in the order in which they are carried out. */
export async function withActions<F extends Firing>(
  { db }: Ctx,
  firings: readonly F[],
): Promise<readonly WithActions<F>[]> {
  if (firings.length === 0) return [];
  const ecpdIds = await listProfilesOf(db, [...new Set(firings.map(({ accountName }) => accountName))]);
  const firingIds = firings.map(({ firingId }) => firingId);
  const actions = Map.groupBy(await listActionsOf(db, ecpdIds, firingIds), ({ firingId }) => firingId);
  return firings.map((firing) => ({ ...firing, actions: actions.get(firing.firingId) ?? [] }));
}

/** Newest first. Includes deleted triggers, for as long as their versions are kept. */
export async function listFiringsOf(
  ctx: Ctx,
  user: Principal,
  id: string,
  page: FiringPage,
): Promise<readonly WithActions<NamedFiring>[]> {
  const triggerId = idOf(id);
  const ecpdId =
    (await findProfileOfVersions(ctx.db, triggerId, viewerOf(user))) ??
    refuse(pricePlanTriggerFaults.notFound);
  const firings =
    (await listFiringPage(ctx.db, { ecpdId, triggerId }, page)) ?? refuse(triggerActionFaults.invalidBefore);
  return withActions(ctx, await nameLines(ctx.db, ecpdId, firings));
}

export const toWireAction = ({ firingId: _, reason, requestIds, ...action }: ActionOfFiring): WireAction => ({
  ...action,
  ...(reason !== null && { reason }),
  requestIds: [...requestIds],
});

export const toWireFiring = <F extends Firing>({ actions, ...firing }: WithActions<F>) => ({
  ...firing,
  actions: actions.map(toWireAction),
});
