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

const said = ({ triggerName, active, version }: PricePlanTrigger) => ({ triggerName, active, version });

/** It does not fire by itself: what lies beyond its threshold already fires with the next usage. */
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
      after: said(trigger),
    });
    return triggerId;
  });

/** Of what was sent, as far as it can be parsed: it is checked later. */
function accountsIn({ pricePlanTrigger }: TriggerContent): readonly string[] {
  const rule = pricePlanTrigger === undefined ? undefined : parseRule(pricePlanTrigger).value;
  return rule?.kind === 'payAsYouGo' ? rule.accountNames : [];
}

/** Of two who change it at the same moment the second begins with what the first has left. */
const lockOwnTrigger = async ({ db }: Ctx, user: Principal, key: TriggerKey): Promise<PricePlanTrigger> =>
  (await lockTrigger(db, viewerOf(user), key)) ?? refuse(pricePlanTriggerFaults.notFound);

/**
 * What is absent stays as it is: published clients leave `pricePlanTrigger` out of an update. What changes nothing writes
 * nothing, so that the version stands and firings go on naming it.
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
    // Accounts before triggers: whoever deletes an account locks them in this order too.
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
      before: said(present),
      after: { ...said(next), version: present.version + 1 },
    });
    return triggerId;
  });

/** What it has fired stays on record, and so do the versions that those firings name. */
export const deleteTrigger = (outer: Ctx, user: Principal, id: string): Promise<string> =>
  inTx(outer, async (ctx) => {
    const triggerId = idOf(id);
    const ecpdId = await findOwnProfile(ctx, user, triggerId);
    const before = said(await lockOwnTrigger(ctx, user, { ecpdId, triggerId }));
    await deleteTriggerRow(ctx.db, ecpdId, triggerId);
    await writeAudit(ctx, { action: 'deletePricePlanTrigger', target: triggerId, ecpdId, before });
    return triggerId;
  });
