import type { DeviceId } from '../../kernel/device-id.ts';
import { eraseStatesOf } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { deleteAccount, lockAccount } from '../accounts/index.ts';
import { deleteMessagesAbout, deleteMessagesOfAccount } from '../callbacks/index.ts';
import { deleteRequestDevicesOfAccount } from '../carrier-requests/index.ts';
import { listEarlierLines } from '../consents/index.ts';
import { deleteRulesOfDevices } from '../device-management/index.ts';
import {
  type BeforeDeletion,
  type DeviceKey,
  deleteDevices,
  deleteTracesOfAccount,
  erasePositionOfDevice,
  erasePositionsOfAccount,
  findDeviceKey,
  type HeldSpan,
  listFormerHolders,
  lockDevice,
} from '../devices/index.ts';
import { deleteEntriesOfAccount, eraseLocations, eraseOwnPositions } from '../location-reports/index.ts';
import { deletePositionsIn, deletePositionsOfAccount } from '../locations/index.ts';
import { type LineNetwork, orderAccountDeletion, orderDeletion } from '../network/index.ts';
import { deleteNotificationsOfAccount } from '../notifications/index.ts';
import { deleteOrphanedTriggers } from '../price-plan-triggers/index.ts';
import { deleteCallsOfAccount, eraseLocatedAnswers } from '../request-log/index.ts';
import { announceAccessChange, deleteAccountOfUsers } from '../sessions/index.ts';
import { refreshLevelsLater } from '../trigger-evaluation/index.ts';
import { deleteTransactionsOfAccount, deleteUsageOfAccount } from '../usage/index.ts';

/** Time for a scan of an account's reports of a month. */
const TIME_MS = 15 * 60_000;

type LineSpan = HeldSpan & Pick<DeviceKey, 'ecpdId'>;

/**
 * Everything that an identifier stands for: the line that has it, with all its owners, and each line that had it, for
 * the time in which it did. Whoever it belongs to, and also if it is deleted.
 */
async function listLineSpans({ db }: Ctx, id: DeviceId, present: DeviceKey | undefined): Promise<LineSpan[]> {
  const former = await listFormerHolders(db, id);
  if (present === undefined) return former;
  const earlier = await listEarlierLines(db, present.ecpdId, [present.deviceId]);
  const whole = [present, ...earlier].map(({ ecpdId, deviceId }) => ({
    ecpdId,
    deviceId,
    from: null,
    to: null,
  }));
  return [...whole, ...former];
}

/**
 * Erases the positions of an identifier everywhere: in the simulation, the cache, the history, reports, callbacks and the
 * log of requests. A callback or an answer may be later than its position, so only those from before the time are kept, and
 * the log of requests, which is short, keeps none. Returns the number of changed rows; undefined if no device ever had
 * the identifier.
 */
export const erasePositionsOfOne = (outer: Ctx, id: DeviceId): Promise<number | undefined> =>
  inTx(outer, async (ctx) => {
    const { db, now } = ctx;
    await db.allowTime(TIME_MS);
    const present = await findDeviceKey(db, id);
    // A move waits, or has been waited for.
    if (present !== undefined) await lockDevice(db, present);
    const spans = await listLineSpans(ctx, id, await findDeviceKey(db, id));
    if (spans.length === 0) return undefined;
    let erased = present === undefined ? 0 : await erasePositionOfDevice(db, present);
    for (const [ecpdId, its] of Map.groupBy(spans, (span) => span.ecpdId)) {
      const ids = its.map(({ deviceId }) => deviceId);
      erased +=
        (await deletePositionsIn(db, ecpdId, its)) +
        (await eraseLocations(db, { ecpdId }, now(), its)) +
        (await eraseLocatedAnswers(db, { ecpdId }, now(), ids)) +
        (await deleteMessagesAbout(db, { ecpdId }, its));
    }
    return erased;
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

/** What later features delete before lines: their rules, and their positions in the log of requests. */
export const deleteWithLines: BeforeDeletion = async (tx, tenant, deviceIds) => {
  await deleteRulesOfDevices(tx, tenant, deviceIds);
  await eraseLocatedAnswers(tx.db, tenant, tx.now(), deviceIds);
};

/** The positions of its account are erased too; earlier owners keep theirs. False if the device no longer exists. */
export const deleteWholeDevice = (
  outer: Ctx,
  device: DeviceKey,
  network: LineNetwork | undefined,
): Promise<boolean> =>
  inTx(outer, async (ctx) => {
    await lockDevice(ctx.db, device);
    if (network !== undefined) await orderDeletion(ctx, device, network, [device.deviceId]);
    await ctx.db.allowTime(TIME_MS);
    await eraseOwnPositions(ctx, device, [device.deviceId]);
    return (await deleteDevices(ctx, device, [device.deviceId], deleteWithLines)) === 1;
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
