import { type Ctx, inTx } from '../../../platform/context/context.ts';
import { deleteRulesOfDevices } from '../../device-management/index.ts';
import { type DeviceKey, deleteDevices, lockDevice } from '../../devices/index.ts';
import { erasePositionsOfOne } from './erase-positions.ts';

/** Consent to being located goes with the device: where it was must not outlive it. False when there is none any more. */
export const deleteWholeDevice = (outer: Ctx, device: DeviceKey): Promise<boolean> =>
  inTx(outer, async (ctx) => {
    await lockDevice(ctx.db, device);
    await erasePositionsOfOne(ctx, device);
    return (await deleteDevices(ctx, device, [device.deviceId], deleteRulesOfDevices)) === 1;
  });
