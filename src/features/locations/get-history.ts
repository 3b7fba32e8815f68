import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { listWithheld, requireRegistered } from '../consents/index.ts';
import { coarseForm, type TakenFix } from './location.ts';
import { type HistorySpan, listHistory } from './sql-history.ts';

interface History {
  /** By the consent that holds now: as precise as they were taken, coarse, or not at all. */
  readonly shown: 'precise' | 'coarse' | 'withheld';
  readonly fixes: readonly TakenFix[];
  /** The moment before which the list goes on. */
  readonly next: Date | undefined;
}

/** Where a device of the account was, newest first. Asks no network, and costs nothing. */
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
