import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { lockAccountOfDevices } from '../carrier-requests/index.ts';
import { carryDenials, freezeConsents } from '../consents/index.ts';
import { moveOpenSuspensions } from '../device-lifecycle/index.ts';
import { deleteRulesOfDevices, moveRules } from '../device-management/index.ts';
import {
  type DeviceKey,
  deleteDevices,
  type FleetDevice,
  findDevice,
  insertDevices,
  lockDevice,
  type MoveLines,
  moveDevices,
} from '../devices/index.ts';
import { failAwaited } from '../location-reports/index.ts';
import { deletePositions } from '../locations/index.ts';
import { moveLicenses } from '../sim-secure/index.ts';
import { type CountAlerts, leaveAccount } from '../smart-alerts/index.ts';
import { noteLeft, prepareMove } from '../usage/index.ts';
import { moveFaults } from './errors.ts';

/** Moves lines within their profile. The data that each feature keeps for them moves along, stays, or ends. */
export const lineMover =
  (countAlerts: CountAlerts): MoveLines =>
  async (tx, move) => {
    const { from, to, deviceIds } = move;
    if (deviceIds.length === 0) return;
    const { db } = tx;
    const { ecpdId } = from;
    const now = tx.now();
    await noteLeft(db, from, deviceIds, now);
    const lines = deviceIds.map((deviceId) => ({ deviceId, nowDeviceId: deviceId }));
    const denied = await freezeConsents(tx, from, to, lines);
    await moveLicenses(db, move);
    await deletePositions(db, ecpdId, deviceIds);
    await failAwaited(db, from, deviceIds, now);
    const ruleIds = await moveRules(tx, move);
    await leaveAccount(tx, ecpdId, { deviceIds, ruleIds }, countAlerts);
    await moveDevices(tx, move);
    await carryDenials(tx, to, deviceIds, denied);
    await moveOpenSuspensions(tx, move);
  };

/** Only the identifiers and a denial of location move to the new customer. */
async function moveToProfile(tx: Ctx, from: DeviceKey, to: Tenant, device: FleetDevice): Promise<void> {
  if (device.state !== 'deactive') refuse(moveFaults.notDeactive);
  const { deviceId } = from;
  const newId = tx.newId();
  const denied = await freezeConsents(tx, from, to, [{ deviceId, nowDeviceId: newId }]);
  await failAwaited(tx.db, from, [deviceId], tx.now());
  await noteLeft(tx.db, from, [deviceId], tx.now());
  await deleteDevices(tx, from, [deviceId], deleteRulesOfDevices);
  const ids = DEVICE_ID_KINDS.flatMap((kind) => {
    const value = device[kind];
    return value === null ? [] : [{ kind, value }];
  });
  const { kind, state, iot } = device;
  await insertDevices(tx, to, [{ deviceId: newId, ids, kind, state, iot }]);
  await carryDenials(tx, to, [newId], denied);
}

/** Moves one line to any account. False if the line no longer exists in `from`; true without a change if it is in `to` already. */
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
