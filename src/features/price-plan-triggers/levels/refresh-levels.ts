import type { Ctx } from '../../../platform/context/context.ts';
import { readRule } from '../reading/read-rule.ts';
import type { Rule } from '../rule.ts';
import { listTriggersById } from '../sql-list.ts';
import { holdAccounts, listLookedAtAccounts } from './sql-levels.ts';
import { type WrittenTrigger, writeLevels } from './write-levels.ts';

/** Bodies are up to 1 MiB: so many are read at a time. */
const READ_PAGE = 100;
/** To write levels the counters of all their accounts are looked at once: not for every few triggers of a large import. */
const NAMED_MAX = 10_000;

const namedBy = (rule: Rule): number => (rule.kind === 'payAsYouGo' ? rule.accountNames.length : 1);

/** Levels of triggers that exist, from what they and what they speak of say now, in the caller's transaction. */
export async function refreshLevels(ctx: Ctx, ecpdId: string, triggerIds: readonly string[]): Promise<void> {
  let read: WrittenTrigger[] = [];
  let named = 0;
  for (let from = 0; from < triggerIds.length; from += READ_PAGE) {
    for (const { triggerId, active, body } of await listTriggersById(
      ctx.db,
      ecpdId,
      triggerIds.slice(from, from + READ_PAGE),
    )) {
      const rule = readRule(body.pricePlanTrigger).value;
      if (rule === undefined) continue;
      read.push({ triggerId, active, rule });
      named += namedBy(rule);
    }
    if (named < NAMED_MAX && from + READ_PAGE < triggerIds.length) continue;
    await writeLevels(ctx, ecpdId, read);
    read = [];
    named = 0;
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
