import { writeAudit } from '../../../platform/context/audit.ts';
import { type Ctx, inTx, type Principal } from '../../../platform/context/context.ts';
import { deleteTriggerRow } from '../sql.ts';
import { findOwnProfile, idOf, lockOwnTrigger } from './lock-own-trigger.ts';

/** What it has fired stays on record, and so do the versions that those firings name. */
export const deleteTrigger = (outer: Ctx, user: Principal, id: string): Promise<string> =>
  inTx(outer, async (ctx) => {
    const triggerId = idOf(id);
    const ecpdId = await findOwnProfile(ctx, user, triggerId);
    const { triggerName, active, version } = await lockOwnTrigger(ctx, user, { ecpdId, triggerId });
    await deleteTriggerRow(ctx.db, ecpdId, triggerId);
    await writeAudit(ctx, {
      action: 'deletePricePlanTrigger',
      target: triggerId,
      ecpdId,
      before: { triggerName, active, version },
    });
    return triggerId;
  });
