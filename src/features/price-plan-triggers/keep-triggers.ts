import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Principal } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { checkContent, profileOf } from './check-content.ts';
import { pricePlanTriggerFaults } from './errors.ts';
import { findOwnProfile, idOf } from './list-triggers.ts';
import { effectiveContent } from './parsing/effective.ts';
import { parseRule } from './parsing/parse-rule.ts';
import {
  type KeepLevels,
  type PricePlanTrigger,
  TRIGGERS_PER_PROFILE_MAX,
  type TriggerContent,
  viewerOf,
} from './price-plan-trigger.ts';
import type { CreateBody, UpdateBody } from './schemas.ts';
import { countTriggers, deleteTriggerRow, lockProfile, lockTrigger, type TriggerKey } from './sql.ts';
import { insertTrigger, updateTriggerRow } from './sql-version.ts';
import { fromWireContent } from './wire.ts';

const logged = ({ triggerName, active, version }: PricePlanTrigger) => ({ triggerName, active, version });

/** Creating a trigger does not fire it: a counter that is already beyond its threshold fires with its next usage. */
export const createTrigger = (
  outer: Ctx,
  user: Principal,
  body: CreateBody,
  levels: KeepLevels,
): Promise<string> =>
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
    const trigger = { ecpdId, triggerId, triggerName, active, body: effectiveContent(content), ...dated };
    await insertTrigger(ctx.db, trigger, user.username);
    await levels.refresh(ctx, ecpdId, [triggerId]);
    await writeAudit(ctx, {
      action: 'createPricePlanTrigger',
      target: triggerId,
      ecpdId,
      after: logged(trigger),
    });
    return triggerId;
  });

/** The accounts named in the body, as far as it can be parsed; it is validated later. */
function accountsIn({ pricePlanTrigger }: TriggerContent): readonly string[] {
  const rule = pricePlanTrigger === undefined ? undefined : parseRule(pricePlanTrigger).value;
  return rule?.kind === 'payAsYouGo' ? rule.accountNames : [];
}

/** The second of two concurrent changes starts from the result of the first. */
const lockOwnTrigger = async ({ db }: Ctx, user: Principal, key: TriggerKey): Promise<PricePlanTrigger> =>
  (await lockTrigger(db, viewerOf(user), key)) ?? refuse(pricePlanTriggerFaults.notFound);

/**
 * Absent fields keep their values: published clients leave `pricePlanTrigger` out of an update. An update without a
 * change writes nothing, so that the version stays the one that firings name.
 */
export const updateTrigger = (
  outer: Ctx,
  user: Principal,
  body: UpdateBody,
  levels: KeepLevels,
): Promise<string> =>
  inTx(outer, async (ctx) => {
    const triggerId = idOf(body.triggerId);
    const ecpdId = await findOwnProfile(ctx, user, triggerId, body.ecpdId);
    const content = fromWireContent(body);
    // Lock accounts before triggers: deleting an account uses the same order.
    await levels.holdAccounts(ctx, ecpdId, [triggerId], accountsIn(content));
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
    await levels.refresh(ctx, ecpdId, [triggerId]);
    await writeAudit(ctx, {
      action: 'updatePricePlanTrigger',
      target: triggerId,
      ecpdId,
      before: logged(present),
      after: { ...logged(next), version: present.version + 1 },
    });
    return triggerId;
  });

/** Its firings stay on record, with the versions that they name. */
export const deleteTrigger = (outer: Ctx, user: Principal, id: string, levels: KeepLevels): Promise<string> =>
  inTx(outer, async (ctx) => {
    const triggerId = idOf(id);
    const ecpdId = await findOwnProfile(ctx, user, triggerId);
    await levels.holdAccounts(ctx, ecpdId, [triggerId], []);
    const before = logged(await lockOwnTrigger(ctx, user, { ecpdId, triggerId }));
    await deleteTriggerRow(ctx.db, ecpdId, triggerId);
    await levels.refresh(ctx, ecpdId, [triggerId]);
    await writeAudit(ctx, { action: 'deletePricePlanTrigger', target: triggerId, ecpdId, before });
    return triggerId;
  });
