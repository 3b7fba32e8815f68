import { isUuid } from '../../../kernel/uuid.ts';
import type { Ctx, Principal } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { pricePlanTriggerFaults } from '../errors.ts';
import { type PricePlanTrigger, viewerOf } from '../price-plan-trigger.ts';
import { findProfileOf, lockTrigger } from '../sql.ts';
import { profileOf } from './require-access.ts';

/** What cannot be an id is the id of no trigger. */
export const idOf = (text: string): string =>
  isUuid(text) ? text.toLowerCase() : refuse(pricePlanTriggerFaults.notFound);

/** A trigger that the caller may not see is not found, be it another customer's or unknown. */
export async function findOwnProfile(
  { db }: Ctx,
  user: Principal,
  triggerId: string,
  ecpdId?: string,
): Promise<string> {
  const viewer = viewerOf(user);
  const profiles = ecpdId === undefined ? viewer.profiles : [profileOf(user, ecpdId)];
  return (
    (await findProfileOf(db, { ...viewer, profiles }, triggerId)) ?? refuse(pricePlanTriggerFaults.notFound)
  );
}

/** Of two who change it at the same moment the second begins with what the first has left. */
export const lockOwnTrigger = async (
  { db }: Ctx,
  user: Principal,
  key: { readonly ecpdId: string; readonly triggerId: string },
): Promise<PricePlanTrigger> =>
  (await lockTrigger(db, viewerOf(user), key)) ?? refuse(pricePlanTriggerFaults.notFound);
