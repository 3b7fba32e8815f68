import { eraseStatesOf } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { deleteAccount, lockAccount } from '../accounts/index.ts';
import { deleteMessagesAbout, deleteMessagesOfAccount } from '../callbacks/index.ts';
import { deleteRequestDevicesOfAccount } from '../carrier-requests/index.ts';
import { deleteRulesOfDevices } from '../device-management/index.ts';
import {
  type DeviceKey,
  deleteDevices,
  deleteTracesOfAccount,
  erasePositionOfDevice,
  erasePositionsOfAccount,
  lockDevice,
} from '../devices/index.ts';
import { deleteEntriesOfAccount, eraseLocations, failAwaited } from '../location-reports/index.ts';
import { deletePositions, deletePositionsOfAccount } from '../locations/index.ts';
import { type LineNetwork, orderAccountDeletion, orderDeletion } from '../network/index.ts';
import { deleteNotificationsOfAccount } from '../notifications/index.ts';
import { deleteOrphanedTriggers } from '../price-plan-triggers/index.ts';
import { deleteCallsOfAccount, eraseLocatedAnswers } from '../request-log/index.ts';
import { announceAccessChange, deleteAccountOfUsers } from '../sessions/index.ts';
import { refreshLevelsLater } from '../trigger-evaluation/index.ts';
import { deleteTransactionsOfAccount, deleteUsageOfAccount } from '../usage/index.ts';

/** Time for a scan of an account's reports of a month. */
const TIME_MS = 15 * 60_000;

/**
 * Erases the device's positions everywhere: in its simulation, the cache, the history, reports, callbacks and the log of
 * requests. Returns the number of changed rows.
 */
export const erasePositionsOfOne = (outer: Ctx, device: DeviceKey): Promise<number> =>
  inTx(outer, async ({ db, now }) => {
    await db.allowTime(TIME_MS);
    return (
      (await erasePositionOfDevice(db, device)) +
      (await deletePositions(db, device.ecpdId, [device.deviceId])) +
      (await eraseLocations(db, device, now(), [device.deviceId])) +
      (await eraseLocatedAnswers(db, device, now(), [device.deviceId])) +
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
      (await eraseLocatedAnswers(db, account, now())) +
      (await deleteMessagesAbout(db, account))
    );
  });

/** Consent ends with the device, so its positions are erased too. False if the device no longer exists. */
export const deleteWholeDevice = (
  outer: Ctx,
  device: DeviceKey,
  network: LineNetwork | undefined,
): Promise<boolean> =>
  inTx(outer, async (ctx) => {
    await lockDevice(ctx.db, device);
    if (network !== undefined) await orderDeletion(ctx, device, network, [device.deviceId]);
    await erasePositionsOfOne(ctx, device);
    await failAwaited(ctx.db, device, [device.deviceId], ctx.now());
    return (await deleteDevices(ctx, device, [device.deviceId], deleteRulesOfDevices)) === 1;
  });

/** Batch size: the changes of all devices may be millions of lines. */
const ERASED_AT_ONCE = 10_000;

export async function eraseStates(db: Db, tenant: Pick<Tenant, 'ecpdId'> & Partial<Tenant>): Promise<void> {
  let after: bigint | undefined = 0n;
  while (after !== undefined) after = await eraseStatesOf(db, tenant, { after, limit: ERASED_AT_ONCE });
}

/** Deletes the account and everything that belongs to it in one transaction. A large fleet takes minutes. */
export const deleteWholeAccount = (
  outer: Ctx,
  tenant: Tenant,
  network: LineNetwork | undefined,
): Promise<void> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    await db.allowTime(15 * 60_000);
    await lockAccount(db, tenant);
    if (network !== undefined) await orderAccountDeletion(ctx, tenant, network);
    await deleteTracesOfAccount(db, tenant);
    await deleteEntriesOfAccount(db, tenant);
    await deleteRequestDevicesOfAccount(db, tenant);
    await deleteTransactionsOfAccount(db, tenant);
    await deleteUsageOfAccount(db, tenant);
    await deleteNotificationsOfAccount(db, tenant);
    await deleteAccountOfUsers(db, tenant);
    await eraseStates(db, tenant);
    // Late in the transaction, because the delivery waits for these rows: callbacks of other customers must not wait long.
    await deleteMessagesOfAccount(db, tenant);
    await deleteCallsOfAccount(db, tenant);
    await deleteAccount(db, tenant);
    await deleteOrphanedTriggers(db, tenant.ecpdId);
    await refreshLevelsLater(ctx, tenant.ecpdId);
    await announceAccessChange(db, { what: 'everything' });
  });
