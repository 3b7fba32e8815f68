import { writeAudit } from '../../../platform/context/audit.ts';
import { type Ctx, inTx, type Principal } from '../../../platform/context/context.ts';
import { holdLookedAt, refreshLevels } from '../levels/refresh-levels.ts';
import type { TriggerContent } from '../price-plan-trigger.ts';
import { effectiveContent } from '../reading/effective.ts';
import { readRule } from '../reading/read-rule.ts';
import type { UpdateBody } from '../schemas.ts';
import { updateTriggerRow } from '../sql-version.ts';
import { fromWireContent } from '../wire.ts';
import { checkContent } from './check-content.ts';
import { findOwnProfile, idOf, lockOwnTrigger } from './lock-own-trigger.ts';

/** Of what was sent, as far as it can be read: it is judged later. */
function accountsIn({ pricePlanTrigger }: TriggerContent): readonly string[] {
  const rule = pricePlanTrigger === undefined ? undefined : readRule(pricePlanTrigger).value;
  return rule?.kind === 'payAsYouGo' ? rule.accountNames : [];
}

/**
 * What is absent stays as it is: published clients leave `pricePlanTrigger` out of an update. What changes nothing writes
 * nothing, so that the version stands and firings go on naming it.
 */
export const updateTrigger = (outer: Ctx, user: Principal, body: UpdateBody): Promise<string> =>
  inTx(outer, async (ctx) => {
    const triggerId = idOf(body.triggerId);
    const ecpdId = await findOwnProfile(ctx, user, triggerId, body.ecpdId);
    const content = fromWireContent(body);
    // Accounts before triggers: whoever deletes an account locks them in this order too.
    await holdLookedAt(ctx, ecpdId, triggerId, accountsIn(content));
    await checkContent(ctx, user, ecpdId, content);
    const present = await lockOwnTrigger(ctx, user, { ecpdId, triggerId });
    const { triggerName = present.triggerName, active = present.active } = body;
    const next = {
      ...present,
      triggerName,
      active,
      body: { ...present.body, ...effectiveContent(content) },
      updatedAt: ctx.now(),
    };
    if ((await updateTriggerRow(ctx.db, next, user.username)) === 0) return triggerId;
    await refreshLevels(ctx, ecpdId, [triggerId]);
    await writeAudit(ctx, {
      action: 'updatePricePlanTrigger',
      target: triggerId,
      ecpdId,
      before: { triggerName: present.triggerName, active: present.active, version: present.version },
      after: { triggerName, active, version: present.version + 1 },
    });
    return triggerId;
  });
