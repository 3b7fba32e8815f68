import type { Ctx, Principal } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { pricePlanTriggerFaults } from '../errors.ts';
import type { TriggerContent } from '../price-plan-trigger.ts';
import { readNotification } from '../reading/read-notification.ts';
import { readRule } from '../reading/read-rule.ts';
import type { Problem } from '../reading/read-values.ts';
import { findBrokenReferences, findMissingGroups } from '../references.ts';
import { lockAccounts } from '../sql.ts';
import { requireAccess } from './require-access.ts';

function refuseProblems([first]: readonly Problem[]): void {
  if (first === undefined) return;
  const field = first.path.slice(1).replaceAll('/', '.');
  refuse(pricePlanTriggerFaults.invalid, { reason: `${field} ${first.detail}` });
}

/** Refuses what cannot be stored: what does not read as a rule, is not the caller's, or names what does not exist. */
export async function checkContent(
  ctx: Ctx,
  user: Principal,
  ecpdId: string,
  { pricePlanTrigger, notification }: TriggerContent,
): Promise<void> {
  const read = pricePlanTrigger === undefined ? undefined : readRule(pricePlanTrigger);
  const told = notification === undefined ? undefined : readNotification(notification);
  refuseProblems([...(read?.problems ?? []), ...(told?.problems ?? [])]);
  const rule = read?.value;
  if (rule !== undefined) {
    if (rule.kind === 'payAsYouGo') await lockAccounts(ctx.db, ecpdId, rule.accountNames);
    await requireAccess(ctx, user, ecpdId, rule);
    refuseProblems((await findBrokenReferences(ctx.db, [{ ecpdId, rule }])).flat());
  }
  const notifies = told?.value;
  if (notifies !== undefined)
    refuseProblems((await findMissingGroups(ctx.db, [{ ecpdId, notifies }])).flat());
}
