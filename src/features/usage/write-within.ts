import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { ParsedRecord } from '../../platform/feeds/parse-records.ts';
import { checkRecords } from './check-records.ts';
import { type FeedPolicy, lookUp } from './take-usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';
import type { UsageRecord } from './usage-record.ts';
import type { Part } from './write-records.ts';
import { writeWhatFits } from './write-what-fits.ts';

/** Finds the account and plan of each record, by profile, for a caller that writes them in its own transactions. */
export async function prepareRecords(
  ctx: Ctx,
  records: readonly ParsedRecord<UsageRecord>[],
  { keptDays, share }: Pick<FeedPolicy, 'keptDays' | 'share'>,
) {
  const found = await lookUp(ctx, records);
  const limits = { nowMs: ctx.now().getTime(), keptDays, aheadMs: share.aheadMs };
  return { ...checkRecords(records, found, limits), accounts: found.accounts };
}

/** Writes the part of a profile inside the transaction of `ctx`, which continues even if some records are rejected. */
export function writeWithin({ db, ...ctx }: Ctx, part: Part, evaluator: UsageEvaluator) {
  const tx: Db['tx'] = (work, options) => db.tx((within) => within.savepoint(work), options);
  return writeWhatFits({ ...ctx, db: { ...db, tx } }, part, evaluator);
}
