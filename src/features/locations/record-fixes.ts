import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { type Accuracy, listWithheld } from '../consents/index.ts';
import { holdPayers, recordTransactions, type WatchServices } from '../usage/index.ts';
import { NO_LINE, type Recorded, type SourceAnswer, type TakenFix } from './location.ts';
import { lockDevices } from './sql-device.ts';
import { keepFixes } from './sql-position.ts';

interface Answered {
  readonly accuracy: Accuracy;
  readonly answers: ReadonlyMap<string, SourceAnswer>;
  readonly requestRefOf: (deviceId: string) => string;
  readonly watchServices: WatchServices;
}

/**
 * Records network answers in the caller's transaction: checks consent again, stores positions in the cache and the
 * history, and bills each once for its request. A position is neither stored nor billed if its consent was withdrawn or its
 * device was deleted during the query.
 */
export async function recordFixes(
  ctx: Ctx,
  tenant: Tenant,
  { accuracy, answers, requestRefOf, watchServices }: Answered,
): Promise<ReadonlyMap<string, Recorded>> {
  const at = ctx.now();
  const ids = [...answers.keys()];
  // Locks accounts before devices, in the same order as the deletion of an account.
  await holdPayers(ctx.db, tenant.ecpdId, [tenant.accountName]);
  const present = await lockDevices(ctx.db, tenant, ids);
  const withheld = await listWithheld(ctx.db, tenant, ids, accuracy);
  const fixes: TakenFix[] = [];
  const outcomes = new Map<string, Recorded>();
  for (const [deviceId, answer] of answers) {
    if (!present.has(deviceId)) outcomes.set(deviceId, { failure: NO_LINE, at });
    else if (withheld.has(deviceId)) outcomes.set(deviceId, 'withheld');
    else if ('failure' in answer) outcomes.set(deviceId, { failure: answer.failure, at });
    else {
      // A position from the future would block all newer ones.
      const fix = answer.fix.at > at ? { ...answer.fix, at } : answer.fix;
      outcomes.set(deviceId, { fix, cached: false });
      fixes.push({ deviceId, accuracy, ...fix });
    }
  }
  if (fixes.length === 0) return outcomes;
  await keepFixes(ctx.db, tenant.ecpdId, fixes, at);
  await recordTransactions(
    ctx,
    tenant.ecpdId,
    fixes.map(({ deviceId }) => ({
      accountName: tenant.accountName,
      serviceName: 'Location' as const,
      requestRef: requestRefOf(deviceId),
      deviceId,
      at,
    })),
    watchServices,
  );
  return outcomes;
}
