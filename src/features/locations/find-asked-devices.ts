import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { hasNumber, repeated, requireRegistered, sentFor } from '../consents/index.ts';
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
  const known = found.filter((device) => device !== undefined);
  if (known.length < found.length)
    refuse(locationFaults.deviceNotFound, {
      named: devices.filter((_, n) => found[n] === undefined).map(sentFor),
    });
  const others = devices.filter(({ mdn }, n) => !hasNumber(known[n]!, mdn));
  if (others.length > 0) refuse(locationFaults.ownershipFailed, { named: others.map(sentFor) });
  // The same device under two of its identifiers.
  const again = repeated(devices, (_, n) => known[n]!.deviceId);
  if (again.length > 0) refuse(locationFaults.duplicateDevices, { named: again.map(sentFor) });
  return known;
}
