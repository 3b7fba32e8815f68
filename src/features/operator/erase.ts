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
import { deleteEntriesOfAccount, eraseLocations } from '../location-reports/index.ts';
import { deletePositions, deletePositionsOfAccount } from '../locations/index.ts';
import { type LineNetwork, orderAccountDeletion, orderDeletion } from '../network/index.ts';
import { deleteNotificationsOfAccount } from '../notifications/index.ts';
import { deleteOrphanedTriggers } from '../price-plan-triggers/index.ts';
import { deleteCallsOfAccount, eraseLocatedAnswers } from '../request-log/index.ts';
import { announceAccessChange, deleteAccountOfUsers } from '../sessions/index.ts';
import { refreshLevelsLater } from '../trigger-evaluation/index.ts';
import { deleteTransactionsOfAccount, deleteUsageOfAccount } from '../usage/index.ts';

/** A month of an account's reports may have to be looked through. */
const TIME_MS = 15 * 60_000;

/**
 * Every place that holds where a device was: its simulation, the cache and the history, reports, callbacks and the log of requests. Answers how many of them
 * held something.
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

/** Consent to being located goes with the device: where it was must not outlive it. False when there is none any more. */
export const deleteWholeDevice = (
  outer: Ctx,
  device: DeviceKey,
  network: LineNetwork | undefined,
): Promise<boolean> =>
  inTx(outer, async (ctx) => {
    await lockDevice(ctx.db, device);
    if (network !== undefined) await orderDeletion(ctx, device, network, [device.deviceId]);
    await erasePositionsOfOne(ctx, device);
    return (await deleteDevices(ctx, device, [device.deviceId], deleteRulesOfDevices)) === 1;
  });

/** In batches: a line for each change of each device may be millions. */
const ERASED_AT_ONCE = 10_000;

export async function eraseStates(db: Db, tenant: Pick<Tenant, 'ecpdId'> & Partial<Tenant>): Promise<void> {
  let after: bigint | undefined = 0n;
  while (after !== undefined) after = await eraseStatesOf(db, tenant, { after, limit: ERASED_AT_ONCE });
}

/** Everything that belongs to the account goes with it, or nothing does. A large fleet takes its time. */
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
    // Late, because whoever delivers waits for these rows: other customers' callbacks must not wait with it for long.
    await deleteMessagesOfAccount(db, tenant);
    await deleteCallsOfAccount(db, tenant);
    await deleteAccount(db, tenant);
    await deleteOrphanedTriggers(db, tenant.ecpdId);
    await refreshLevelsLater(ctx, tenant.ecpdId);
    await announceAccessChange(db, { what: 'everything' });
  });
