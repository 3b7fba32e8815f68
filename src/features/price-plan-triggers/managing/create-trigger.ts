import { writeAudit } from '../../../platform/context/audit.ts';
import { type Ctx, inTx, type Principal } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { pricePlanTriggerFaults } from '../errors.ts';
import { refreshLevels } from '../levels/refresh-levels.ts';
import { TRIGGERS_PER_PROFILE_MAX } from '../price-plan-trigger.ts';
import { effectiveContent } from '../reading/effective.ts';
import type { CreateBody } from '../schemas.ts';
import { countTriggers, lockProfile } from '../sql.ts';
import { insertTrigger } from '../sql-version.ts';
import { fromWireContent } from '../wire.ts';
import { checkContent } from './check-content.ts';
import { profileOf } from './require-access.ts';

/** It does not fire by itself: what lies beyond its threshold already fires with the next usage. */
export const createTrigger = (outer: Ctx, user: Principal, body: CreateBody): Promise<string> =>
  inTx(outer, async (ctx) => {
    const { triggerName, active = true } = body;
    const ecpdId = profileOf(user, body.ecpdId);
    const content = fromWireContent(body);
    await checkContent(ctx, user, ecpdId, content);
    await lockProfile(ctx.db, ecpdId);
    if ((await countTriggers(ctx.db, ecpdId)) >= TRIGGERS_PER_PROFILE_MAX)
      refuse(pricePlanTriggerFaults.tooMany);

    const [triggerId, at] = [ctx.newId(), ctx.now()];
    const dated = { version: 1, createdAt: at, updatedAt: at };
    await insertTrigger(
      ctx.db,
      { ecpdId, triggerId, triggerName, active, body: effectiveContent(content), ...dated },
      user.username,
    );
    await refreshLevels(ctx, ecpdId, [triggerId]);
    await writeAudit(ctx, {
      action: 'createPricePlanTrigger',
      target: triggerId,
      ecpdId,
      after: { triggerName, active, version: 1 },
    });
    return triggerId;
  });
