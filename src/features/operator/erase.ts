import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { deleteMessagesAbout } from '../callbacks/index.ts';
import { deleteRulesOfDevices } from '../device-management/index.ts';
import {
  type DeviceKey,
  deleteDevices,
  erasePositionOfDevice,
  erasePositionsOfAccount,
  lockDevice,
} from '../devices/index.ts';
import { eraseLocations, failAwaited } from '../location-reports/index.ts';
import { deletePositions, deletePositionsOfAccount } from '../locations/index.ts';
import { type LineNetwork, orderDeletion } from '../network/index.ts';
import { eraseLocatedAnswers } from '../request-log/index.ts';

/** Time for a scan of an account's reports of a month. */
const TIME_MS = 15 * 60_000;

type Step = (tx: Ctx) => Promise<number>;

/** A transaction for each step, because feeds of positions wait for what a step has erased. Returns the sum. */
async function inSteps(outer: Ctx, steps: readonly Step[]): Promise<number> {
  let erased = 0;
  for (const step of steps)
    erased += await inTx(outer, async (tx) => {
      await tx.db.allowTime(TIME_MS);
      return step(tx);
    });
  return erased;
}

/**
 * Erases the device's positions everywhere: in its simulation, the cache, the history, reports, callbacks and the log of
 * requests. Returns the number of changed rows.
 */
export const erasePositionsOfOne = (ctx: Ctx, device: DeviceKey): Promise<number> =>
  inSteps(ctx, [
    ({ db }) => erasePositionOfDevice(db, device),
    ({ db }) => deletePositions(db, device.ecpdId, [device.deviceId]),
    ({ db, now }) => eraseLocations(db, device, now(), [device.deviceId]),
    ({ db, now }) => eraseLocatedAnswers(db, device, now(), [device.deviceId]),
    ({ db }) => deleteMessagesAbout(db, device, [device.deviceId]),
  ]);

export const erasePositionsOfAll = (ctx: Ctx, account: Tenant): Promise<number> =>
  inSteps(ctx, [
    ({ db }) => erasePositionsOfAccount(db, account),
    ({ db }) => deletePositionsOfAccount(db, account),
    ({ db, now }) => eraseLocations(db, account, now()),
    ({ db, now }) => eraseLocatedAnswers(db, account, now()),
    ({ db }) => deleteMessagesAbout(db, account),
  ]);

/**
 * Consent ends with the device, so its positions are erased too: before the deletion, which feeds of the device wait for, and
 * those that came meanwhile after it. False if the device no longer exists.
 */
export async function deleteWholeDevice(
  ctx: Ctx,
  device: DeviceKey,
  network: LineNetwork | undefined,
): Promise<boolean> {
  await erasePositionsOfOne(ctx, device);
  const wasThere = await inTx(ctx, async (tx) => {
    await lockDevice(tx.db, device);
    if (network !== undefined) await orderDeletion(tx, device, network, [device.deviceId]);
    await failAwaited(tx.db, device, [device.deviceId], tx.now());
    return (await deleteDevices(tx, device, [device.deviceId], deleteRulesOfDevices)) === 1;
  });
  await erasePositionsOfOne(ctx, device);
  return wasThere;
}
