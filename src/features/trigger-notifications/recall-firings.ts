import type { Ctx } from '../../platform/context/context.ts';
import { listFiringsById } from '../firings/index.ts';
import {
  listFiredVersions,
  listTriggersById,
  type ParsedTrigger,
  parseNotification,
  parseRule,
} from '../price-plan-triggers/index.ts';
import type { NotifiedFiring } from './notified-firing.ts';

/** The present settings of a trigger, whatever they were when it fired. */
export type PresentTrigger = Pick<ParsedTrigger, 'triggerName' | 'notifies' | 'active'>;

export async function findPresent(
  { db }: Ctx,
  ecpdId: string,
  triggerId: string,
): Promise<PresentTrigger | undefined> {
  const [trigger] = await listTriggersById(db, ecpdId, [triggerId]);
  const notifies = parseNotification(trigger?.body.notification).value;
  return trigger && notifies && { ...trigger, notifies };
}

/**
 * Loads firings for a later notification, in the order of their ids: with the rule that fired, for the people whom the
 * trigger names now. Firings that were deleted are left out.
 */
export async function recallFirings(
  { db }: Ctx,
  ecpdId: string,
  firingIds: readonly string[],
  present: PresentTrigger | undefined,
): Promise<NotifiedFiring[]> {
  const firings = await listFiringsById(db, ecpdId, firingIds);
  const versions = await listFiredVersions(db, ecpdId, firings);
  const triggers = new Map(
    versions.flatMap(({ triggerId, version, triggerName, body }) => {
      const rule = parseRule(body.pricePlanTrigger).value;
      const notifies = present?.notifies ?? parseNotification(body.notification).value;
      if (rule === undefined || notifies === undefined) return [];
      const notified = { triggerId, triggerName: present?.triggerName ?? triggerName, rule, notifies };
      return [[`${triggerId} ${version}`, notified] as const];
    }),
  );
  const byId = new Map(firings.map((firing) => [firing.firingId, firing]));
  return firingIds.flatMap((id) => {
    const firing = byId.get(id);
    const trigger = firing && triggers.get(`${firing.triggerId} ${firing.ruleVersion}`);
    return firing === undefined || trigger === undefined ? [] : [{ ...firing, trigger }];
  });
}
