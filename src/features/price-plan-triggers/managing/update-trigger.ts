import { writeAudit } from '../../../platform/audit.ts';
import { type Ctx, inTx, type Principal } from '../../../platform/context.ts';
import type { UpdateBody } from '../schemas.ts';
import { updateTriggerRow } from '../sql-version.ts';
import { fromWireContent } from '../wire.ts';
import { checkContent } from './check-content.ts';
import { lockOwnTrigger } from './lock-own-trigger.ts';

/**
 * What is absent stays as it is: published clients leave `pricePlanTrigger` out of an update. What changes nothing writes
 * nothing, so that the version stands and firings go on naming it.
 */
export const updateTrigger = (outer: Ctx, user: Principal, body: UpdateBody): Promise<string> =>
  inTx(outer, async (ctx) => {
    const present = await lockOwnTrigger(ctx, user, body.triggerId, body.ecpdId);
    const { triggerId, ecpdId, version } = present;
    const { triggerName = present.triggerName, active = present.active } = body;
    const content = fromWireContent(body);
    await checkContent(ctx, user, ecpdId, content);
    const next = {
      ...present,
      triggerName,
      active,
      body: { ...present.body, ...content },
      updatedAt: ctx.now(),
    };
    if ((await updateTriggerRow(ctx.db, next, user.username)) === 0) return triggerId;
    await writeAudit(ctx, {
      actorKind: 'user',
      actor: user.username,
      action: 'updatePricePlanTrigger',
      target: triggerId,
      ecpdId,
      before: { triggerName: present.triggerName, active: present.active, version },
      after: { triggerName, active, version: version + 1 },
    });
    return triggerId;
  });
