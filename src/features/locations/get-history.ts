import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { listWithheld, requireRegistered } from '../consents/index.ts';
import { coarseForm, type TakenFix } from './location.ts';
import { type HistorySpan, listHistory } from './sql-history.ts';

interface History {
  /** What the current consent allows: the recorded accuracy, the coarse form, or nothing. */
  readonly shown: 'precise' | 'coarse' | 'withheld';
  readonly fixes: readonly TakenFix[];
  /** The end of the next page's span. */
  readonly next: Date | undefined;
}

/** The past positions of a device of the account, newest first. Queries no network and bills nothing. */
export async function getHistory(
  ctx: Ctx,
  tenant: Tenant,
  deviceId: string,
  span: HistorySpan,
): Promise<History> {
  await requireRegistered(ctx, tenant);
  const { db } = ctx;
  const isCoarse = (await listWithheld(db, tenant, [deviceId], 'precise')).size > 0;
  if (isCoarse && (await listWithheld(db, tenant, [deviceId], 'coarse')).size > 0)
    return { shown: 'withheld', fixes: [], next: undefined };
  const fixes = await listHistory(db, tenant, deviceId, span);
  const next = fixes.length === span.limit ? fixes.at(-1)?.at : undefined;
  return isCoarse
    ? { shown: 'coarse', fixes: fixes.map(coarseForm), next }
    : { shown: 'precise', fixes, next };
}
