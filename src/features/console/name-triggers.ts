import { Type } from 'typebox';
import type { Ctx, Tenant, Viewer } from '../../platform/context/context.ts';
import { type Firing, WireFiring } from '../firings/index.ts';
import { listTriggerNames, viewerOf } from '../price-plan-triggers/index.ts';
import { listUsageTriggerNames } from '../usage-triggers/index.ts';

const firedBy = {
  triggerName: Type.Optional(
    Type.String({
      description:
        'Absent if the caller may not see the trigger, and for a deleted usage trigger, of which nothing is kept',
    }),
  ),
  isThere: Type.Optional(
    Type.Boolean({ description: 'Present with the name; false if the trigger was deleted' }),
  ),
};
export const WireFiringByName = Type.Object({ ...WireFiring.properties, ...firedBy });

/** Users see the triggers of their accounts. Operators see all. */
export const eyesOf = (viewer: Viewer) => (viewer.kind === 'user' ? viewerOf(viewer.principal) : undefined);

type OfTrigger = Pick<Firing, 'triggerId' | 'kind'>;

/** Firings of the account with the names of their triggers, if the viewer may see these. */
export async function nameTriggers<F extends OfTrigger>(
  { db }: Ctx,
  tenant: Tenant,
  firings: readonly F[],
  viewer: Viewer,
): Promise<readonly (F & { readonly triggerName?: string; readonly isThere?: boolean })[]> {
  const idsOf = (kind: Firing['kind']) => [
    ...new Set(firings.filter((one) => one.kind === kind).map(({ triggerId }) => triggerId)),
  ];
  const [pricePlan, usage] = [idsOf('pricePlan'), idsOf('usage')];
  const seen =
    pricePlan.length === 0 ? [] : await listTriggerNames(db, tenant.ecpdId, pricePlan, eyesOf(viewer));
  const kept = usage.length === 0 ? [] : await listUsageTriggerNames(db, tenant, usage);
  const names = new Map(
    [...seen, ...kept.map((one) => ({ ...one, isThere: true }))].map(
      ({ triggerId, triggerName, isThere }) => [triggerId, { triggerName, isThere }],
    ),
  );
  return firings.map((firing) => ({ ...firing, ...names.get(firing.triggerId) }));
}
