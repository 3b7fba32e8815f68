import type { Ctx, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { hasNumber, requireRegistered } from '../consents/index.ts';
import { locationFaults } from './errors.ts';
import type { LocateRequest } from './read-request.ts';
import { type FoundDevice, findDevices } from './sql-device.ts';

/** The devices of a request in its order; it is refused when the account does not have all of them. */
export async function findAskedDevices(
  ctx: Ctx,
  tenant: Tenant,
  { devices }: LocateRequest,
): Promise<readonly FoundDevice[]> {
  const [found] = await Promise.all([findDevices(ctx.db, tenant, devices), requireRegistered(ctx, tenant)]);
  const known = found.map((device) => device ?? refuse(locationFaults.deviceNotFound));
  if (!known.every((device, n) => hasNumber(device, devices[n]!.mdn))) refuse(locationFaults.ownershipFailed);
  // The same device under two of its identifiers.
  if (new Set(known.map(({ deviceId }) => deviceId)).size < known.length)
    refuse(locationFaults.duplicateDevices);
  return known;
}
