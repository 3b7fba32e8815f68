import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { lockAccountOfDevices } from '../carrier-requests/index.ts';
import { denyLocations, listDenied } from '../consents/index.ts';
import { deleteRulesOfDevices } from '../device-management/index.ts';
import {
  type DeviceKey,
  deleteDevices,
  type FleetDevice,
  findDevice,
  insertDevices,
  lockDevice,
  type MoveLines,
} from '../devices/index.ts';
import { eraseLocations } from '../location-reports/index.ts';
import { noteLeft, prepareMove } from '../usage/index.ts';
import { moveFaults } from './errors.ts';

/** Nothing of the old customer's goes with it but the identifiers, and that it must not be located. */
async function moveToProfile(tx: Ctx, from: DeviceKey, to: Tenant, device: FleetDevice): Promise<void> {
  if (device.state !== 'deactive') refuse(moveFaults.notDeactive);
  const { deviceId } = from;
  const denied = (await listDenied(tx, from, [deviceId])).length > 0;
  // Whether it may be shown goes with the device: what must not be shown has to go before.
  if (denied) await eraseLocations(tx.db, from, tx.now(), [deviceId]);
  await noteLeft(tx.db, from, [deviceId], tx.now());
  await deleteDevices(tx, from, [deviceId], deleteRulesOfDevices);
  const ids = DEVICE_ID_KINDS.flatMap((kind) => {
    const value = device[kind];
    return value === null ? [] : [{ kind, value }];
  });
  const { kind, state, iot } = device;
  const newId = tx.newId();
  await insertDevices(tx, to, [{ deviceId: newId, ids, kind, state, iot }]);
  if (denied) await denyLocations(tx, to, [newId]);
}

/** Moves one line to whichever account, at once. False when it is not there any more; true, and nothing is done, when it is there already. */
export const moveLine = (outer: Ctx, from: DeviceKey, to: Tenant, moveLines: MoveLines): Promise<boolean> =>
  inTx(outer, async (tx) => {
    const { db } = tx;
    await prepareMove(tx, from.ecpdId, [from.accountName]);
    const accounts = [from, to].toSorted((a, b) => (a.accountName < b.accountName ? -1 : 1));
    for (const account of accounts) await lockAccountOfDevices(db, account);
    await lockDevice(db, from);
    const device = await findDevice(db, from);
    if (device === undefined) return false;
    if (from.ecpdId !== to.ecpdId) await moveToProfile(tx, from, to, device);
    else if (from.accountName !== to.accountName)
      await moveLines(tx, { from, to, deviceIds: [from.deviceId], changedBy: tx.actor.name });
    return true;
  });
