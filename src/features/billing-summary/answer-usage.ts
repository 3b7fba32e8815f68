import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { aggregateUsage, failed } from '../callbacks/index.ts';
import { sumUsageOfDevices } from '../usage/index.ts';
import { type Step, toFault } from './answer-bill.ts';
import { billingFaults } from './errors.ts';
import { findLines } from './find-lines.ts';
import type { Asked, Cursor } from './summary-request.ts';

/** What devices used in a time: a message for each step, with all of its devices. */
export async function answerUsage(
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
  { subject, fromDay, toDay }: Extract<Asked, { what: 'usage' }>,
  cursor: Cursor,
): Promise<Step> {
  const span = { from: fromDay, to: toDay };
  const { lines, missing, next } = await findLines(ctx.db, tenant, subject, span, cursor);
  const ids = lines.map(({ deviceId }) => deviceId);
  const bytes = await sumUsageOfDevices(ctx.db, tenant, span, ids);
  const totals = lines
    .filter(({ deviceId, named }) => named || bytes.has(deviceId))
    .map(({ deviceId, refs, servicePlan }) => ({
      deviceIds: refs,
      bytesUsed: Number(bytes.get(deviceId) ?? 0),
      smsUsed: 0,
      ...(servicePlan !== null && { servicePlan }),
    }));
  const failures = missing.map((ref) =>
    failed({ requestId, deviceIds: [ref] }, toFault(billingFaults.deviceNotFound)),
  );
  const isSilent = totals.length === 0 && failures.length === 0 && next === undefined && !cursor.told;
  if (isSilent && 'label' in subject)
    return { payloads: [failed({ requestId }, toFault(billingFaults.deviceNotFound))] };
  const deviceIds = totals.length === 1 ? totals[0]!.deviceIds : [];
  const answer = aggregateUsage({ requestId, deviceIds }, totals);
  return { payloads: totals.length > 0 || isSilent ? [answer, ...failures] : failures, next };
}
