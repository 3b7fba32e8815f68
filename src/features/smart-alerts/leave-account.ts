import type { Ctx } from '../../platform/context/context.ts';
import { type CountAlerts, recordEvents } from './alerts/record-events.ts';
import { listOpenAlerts } from './alerts/sql-alert.ts';
import { deleteReadings } from './watching/sql-reading.ts';
import { deleteStates } from './watching/sql-state.ts';
import { CLEARED } from './watching/watched.ts';

/**
 * For who moves devices to another account, in the transaction that has locked them: alerts that their rules have open there are
 * cleared, and the rules begin anew. What the devices told stays behind.
 */
export async function leaveAccount(
  ctx: Ctx,
  ecpdId: string,
  { deviceIds, ruleIds }: { readonly deviceIds: readonly string[]; readonly ruleIds: readonly string[] },
  count: CountAlerts,
): Promise<void> {
  const atMs = ctx.now().getTime();
  await deleteReadings(ctx.db, ecpdId, deviceIds);
  const open = await listOpenAlerts(ctx.db, ecpdId, ruleIds);
  await deleteStates(ctx.db, ecpdId, ruleIds);
  const cleared = { to: 'cleared' as const, atMs, message: CLEARED.deviceMoved, reading: {} };
  await recordEvents(
    ctx,
    ecpdId,
    open.map((alert) => ({ ...alert, ...cleared })),
    count,
  );
}
