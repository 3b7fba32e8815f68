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
 * Turns what the network answered into what may be said, in the caller's transaction: consent is asked for once more,
 * positions go into the cache and the history, and each is billed once for its request. A position whose consent was withdrawn, or whose
 * device was deleted, while the network was looking is neither kept nor billed.
 */
export async function recordFixes(
  ctx: Ctx,
  tenant: Tenant,
  { accuracy, answers, requestRefOf, watchServices }: Answered,
): Promise<ReadonlyMap<string, Recorded>> {
  const at = ctx.now();
  const ids = [...answers.keys()];
  // Accounts before devices: who deletes an account goes the same way.
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
      // Nothing newer could displace a position from the future.
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
