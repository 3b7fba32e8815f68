import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { setStates } from '../devices/index.ts';
import type { EndedSuspension } from './sql-suspension.ts';

/** Devices whose suspension has ended have the state again that they had before. The caller has locked them. */
export async function resumeDevices(
  ctx: Ctx,
  tenant: Tenant,
  ended: readonly EndedSuspension[],
): Promise<void> {
  for (const [state, some] of Map.groupBy(ended, ({ resumesTo }) => resumesTo)) {
    const deviceIds = some.map(({ deviceId }) => deviceId);
    await setStates(ctx, tenant, deviceIds, state);
  }
}
