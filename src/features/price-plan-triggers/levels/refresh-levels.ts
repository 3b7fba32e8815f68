import type { Ctx } from '../../../platform/context.ts';
import { readRule } from '../reading/read-rule.ts';
import { listTriggersById } from '../sql-list.ts';
import { holdAccounts, listLookedAtAccounts } from './sql-levels.ts';
import { writeLevels } from './write-levels.ts';

/** A rule can name ten thousand accounts: so many at a time are held. */
const PAGE = 100;

/** Levels of triggers that exist, from what they and what they speak of say now, in the caller's transaction. */
export async function refreshLevels(ctx: Ctx, ecpdId: string, triggerIds: readonly string[]): Promise<void> {
  for (let from = 0; from < triggerIds.length; from += PAGE) {
    const triggers = await listTriggersById(ctx.db, ecpdId, triggerIds.slice(from, from + PAGE));
    await writeLevels(
      ctx,
      ecpdId,
      triggers.flatMap(({ triggerId, active, body }) => {
        const rule = readRule(body.pricePlanTrigger).value;
        return rule === undefined ? [] : [{ triggerId, active, rule }];
      }),
    );
  }
}

/**
 * Before a trigger is locked to be changed: batches hold accounts and then look at triggers, and so does an import, so
 * whoever changes one goes the same way.
 */
export async function holdLookedAt(
  { db }: Ctx,
  ecpdId: string,
  triggerId: string,
  named: readonly string[],
): Promise<void> {
  const looked = await listLookedAtAccounts(db, ecpdId, [triggerId]);
  await holdAccounts(db, ecpdId, [...new Set([...looked, ...named])]);
}
