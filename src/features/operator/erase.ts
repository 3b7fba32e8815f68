import type { DeviceId } from '../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { deleteMessagesAbout } from '../callbacks/index.ts';
import { listEarlierLines } from '../consents/index.ts';
import { deleteRulesOfDevices } from '../device-management/index.ts';
import {
  type BeforeDeletion,
  type DeviceKey,
  deleteDevices,
  erasePositionOfDevice,
  erasePositionsOfAccount,
  findDevice,
  findDeviceKey,
  type HeldSpan,
  listFormerHolders,
  lockDevice,
} from '../devices/index.ts';
import { eraseLocations, eraseOwnPositions, failAwaited } from '../location-reports/index.ts';
import { deletePositionsIn, deletePositionsOfAccount } from '../locations/index.ts';
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

/** A move of the line waits, or has been waited for. */
const findLineAndSpans = (outer: Ctx, id: DeviceId) =>
  inTx(outer, async (tx) => {
    const found = await findDeviceKey(tx.db, id);
    if (found !== undefined) await lockDevice(tx.db, found);
    const present = await findDeviceKey(tx.db, id);
    return { present, spans: await listLineSpans(tx, id, present) };
  });

/**
 * Erases the positions of an identifier everywhere: in the simulation, the cache, the history, reports, callbacks and the
 * log of requests. A callback or an answer may be later than its position, so only those from before the time are kept, and
 * the log of requests, which is short, keeps none. Returns the number of changed rows; undefined if no device ever had
 * the identifier.
 */
export async function erasePositionsOfOne(ctx: Ctx, id: DeviceId): Promise<number | undefined> {
  const { present, spans } = await findLineAndSpans(ctx, id);
  if (spans.length === 0) return undefined;
  const steps = [...Map.groupBy(spans, (span) => span.ecpdId)].flatMap(([ecpdId, its]): Step[] => {
    const ids = its.map(({ deviceId }) => deviceId);
    return [
      ({ db }) => deletePositionsIn(db, ecpdId, its),
      ({ db, now }) => eraseLocations(db, { ecpdId }, now(), its),
      ({ db, now }) => eraseLocatedAnswers(db, { ecpdId }, now(), ids),
      ({ db }) => deleteMessagesAbout(db, { ecpdId }, its),
    ];
  });
  const simulated: Step[] = present === undefined ? [] : [({ db }) => erasePositionOfDevice(db, present)];
  return inSteps(ctx, [...simulated, ...steps]);
}

export const erasePositionsOfAll = (ctx: Ctx, account: Tenant): Promise<number> =>
  inSteps(ctx, [
    ({ db }) => erasePositionsOfAccount(db, account),
    ({ db }) => deletePositionsOfAccount(db, account),
    ({ db, now }) => eraseLocations(db, account, now()),
    ({ db, now }) => eraseLocatedAnswers(db, account, now()),
    ({ db }) => deleteMessagesAbout(db, account),
  ]);

/** What later features delete before lines: their rules, and their positions in the log of requests. */
export const deleteWithLines: BeforeDeletion = async (tx, tenant, deviceIds) => {
  await deleteRulesOfDevices(tx, tenant, deviceIds);
  await eraseLocatedAnswers(tx.db, tenant, tx.now(), deviceIds);
};

/**
 * The positions of its account are erased too: before the deletion, which feeds of the device wait for, and those that came
 * meanwhile after it. Earlier owners keep theirs. False if the device no longer exists.
 */
export async function deleteWholeDevice(
  ctx: Ctx,
  device: DeviceKey,
  network: LineNetwork | undefined,
): Promise<boolean> {
  const ids = [device.deviceId];
  const erase: Step[] = [
    (tx) => eraseOwnPositions(tx, device, ids),
    ({ db, now }) => eraseLocatedAnswers(db, device, now(), ids),
  ];
  await inSteps(ctx, erase);
  const wasThere = await inTx(ctx, async (tx) => {
    await lockDevice(tx.db, device);
    // It may have moved meanwhile.
    if ((await findDevice(tx.db, device)) === undefined) return false;
    if (network !== undefined) await orderDeletion(tx, device, network, ids);
    await failAwaited(tx.db, device, ids, tx.now());
    return (await deleteDevices(tx, device, ids, deleteRulesOfDevices)) === 1;
  });
  await inSteps(ctx, erase);
  return wasThere;
}
