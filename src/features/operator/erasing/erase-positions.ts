import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { deleteMessagesAbout } from '../../callbacks/index.ts';
import { type DeviceKey, erasePositionOfDevice, erasePositionsOfAccount } from '../../devices/index.ts';
import { eraseLocations } from '../../location-reports/index.ts';
import { deletePosition, deletePositionsOfAccount } from '../../locations/index.ts';

/** A month of an account's reports may have to be looked through. */
const TIME_MS = 15 * 60_000;

/**
 * Every place that holds where a device was: its simulation, the cache, reports and callbacks. Answers how many of them
 * held something.
 */
export const erasePositionsOfOne = (outer: Ctx, device: DeviceKey): Promise<number> =>
  inTx(outer, async ({ db, now }) => {
    await db.allowTime(TIME_MS);
    return (
      (await erasePositionOfDevice(db, device)) +
      (await deletePosition(db, device.ecpdId, device.deviceId)) +
      (await eraseLocations(db, device, now(), [device.deviceId])) +
      (await deleteMessagesAbout(db, device, [device.deviceId]))
    );
  });

export const erasePositionsOfAll = (outer: Ctx, account: Tenant): Promise<number> =>
  inTx(outer, async ({ db, now }) => {
    await db.allowTime(TIME_MS);
    return (
      (await erasePositionsOfAccount(db, account)) +
      (await deletePositionsOfAccount(db, account)) +
      (await eraseLocations(db, account, now())) +
      (await deleteMessagesAbout(db, account))
    );
  });
