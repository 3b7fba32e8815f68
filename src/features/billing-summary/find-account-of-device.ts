import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { findDeviceKey } from '../devices/index.ts';
import { billingFaults } from './errors.ts';
import { readDevice } from './read-device.ts';
import type { UsageListBody } from './schemas.ts';

/** The account that has the device, if it is one of the session's: a device of anybody else is as unknown as none. */
export async function findAccountOfDevice(
  { db }: Ctx,
  { accounts }: Principal,
  { deviceId }: UsageListBody,
): Promise<Tenant> {
  const key = deviceId && (await findDeviceKey(db, readDevice(deviceId)));
  if (key === undefined || accounts.get(key.accountName) !== key.ecpdId)
    return refuse(billingFaults.deviceNotFound);
  return { ecpdId: key.ecpdId, accountName: key.accountName };
}
