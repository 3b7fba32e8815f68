import type { Ctx, Tenant } from '../../platform/context.ts';
import { type Accuracy, listWithheld } from '../consents/index.ts';
import { recordTransactions } from '../usage/index.ts';
import { CONSENT_FAILED, type Fix, type Outcome } from './location.ts';
import type { SourceAnswer } from './position-source.ts';
import { upsertPositions } from './sql-position.ts';

/**
 * Turns what the network answered into what may be said, in the caller's transaction: consent is asked for once more,
 * positions go into the cache, and each is billed once for its request. A position whose consent was withdrawn while
 * the network was looking is neither kept nor billed.
 */
export async function recordFixes(
  ctx: Ctx,
  tenant: Tenant,
  { requestRef, accuracy }: { readonly requestRef: string; readonly accuracy: Accuracy },
  answers: ReadonlyMap<string, SourceAnswer>,
): Promise<ReadonlyMap<string, Outcome>> {
  const at = ctx.now();
  const withheld = await listWithheld(ctx.db, tenant, [...answers.keys()], accuracy);
  const fixes: (Fix & { deviceId: string })[] = [];
  const outcomes = new Map<string, Outcome>();
  for (const [deviceId, answer] of answers) {
    if (withheld.has(deviceId)) outcomes.set(deviceId, { failure: CONSENT_FAILED, at });
    else if ('failure' in answer) outcomes.set(deviceId, { failure: answer.failure, at });
    else {
      outcomes.set(deviceId, { fix: answer.fix, cached: false });
      fixes.push({ deviceId, ...answer.fix });
    }
  }
  if (fixes.length === 0) return outcomes;
  await upsertPositions(ctx.db, tenant.ecpdId, fixes);
  await recordTransactions(
    ctx,
    tenant.ecpdId,
    fixes.map(({ deviceId }) => ({
      accountName: tenant.accountName,
      serviceName: 'Location' as const,
      requestRef,
      deviceId,
      at,
    })),
  );
  return outcomes;
}
