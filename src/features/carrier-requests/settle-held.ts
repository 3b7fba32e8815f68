import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import {
  type ClosedOrder,
  checkHeld,
  clearSettled,
  noteUnmade,
  orderLines,
  putBack,
} from '../network/index.ts';
import type { CarrierRequest, Outcome, Workings } from './carrier-operation.ts';
import { deviceFaults, toDeviceFault } from './errors.ts';
import { unfoundPlace } from './find-places.ts';
import { ConfirmPayload } from './schemas.ts';
import { settle } from './settle-places.ts';
import { listHeld, lockDevices, type WaitingDevice } from './sql-device.ts';
import { lockOpenRequest } from './sql-request.ts';
import { lockRequest, type OpenRequest, openPlaces } from './work-request.ts';

/** What a caller needs to enqueue this job. The worker knows the operations. */
export const CONFIRM = { kind: 'carrier-requests.confirm', schema: ConfirmPayload, attemptsMax: 8 } as const;
const DEVICES_PER_JOB = 500;

/**
 * Call it in the transaction that has closed orders of requests. It schedules a job that settles the devices that
 * waited for them.
 */
export async function settleHeldLater(
  tx: Ctx,
  ecpdId: string,
  closed: readonly ClosedOrder[],
): Promise<void> {
  const byRequest = Map.groupBy(
    closed.filter(({ cause }) => cause === 'request'),
    ({ accountName, changeId }) => `${accountName} ${changeId}`,
  );
  const jobs = [...byRequest.values()].flatMap((own) => {
    const { accountName, changeId } = own[0]!;
    const deviceIds = [...new Set(own.map(({ deviceId }) => deviceId))];
    return Array.from({ length: Math.ceil(deviceIds.length / DEVICES_PER_JOB) }, (_, n) => ({
      payload: {
        accountName,
        requestId: changeId ?? '',
        deviceIds: deviceIds.slice(n * DEVICES_PER_JOB, (n + 1) * DEVICES_PER_JOB),
      },
    }));
  });
  if (jobs.length > 0) await enqueueJobs(tx, CONFIRM, ecpdId, jobs);
}

/**
 * Locks the devices of a request that wait for the network, and their lines. Code that puts a line back must not read
 * it while another request changes it.
 */
async function lockHeld(
  tx: Ctx,
  tenant: Tenant,
  requestId: string,
  deviceIds: readonly string[],
): Promise<readonly WaitingDevice[]> {
  const rows = await listHeld(tx.db, tenant, requestId, deviceIds);
  await lockDevices(
    tx.db,
    tenant,
    rows.flatMap(({ deviceId }) => deviceId ?? []),
  );
  return rows;
}

/** Splits the devices into those confirmed by the network and those that failed there, with the reason. */
async function splitByOutcome(
  tx: Ctx,
  { ecpdId }: Tenant,
  requestId: string,
  rows: readonly WaitingDevice[],
) {
  const ids = rows.flatMap(({ deviceId }) => deviceId ?? []);
  const orders = await checkHeld(tx, ecpdId, requestId, ids);
  const of = (row: WaitingDevice) => orders.get(row.deviceId ?? '') ?? 'open';
  return {
    confirmed: rows.filter((row) => of(row) === 'confirmed'),
    failed: rows.flatMap((row) => {
      const state = of(row);
      return typeof state === 'object' ? [{ row, reason: state.reason }] : [];
    }),
  };
}

/** Marks these devices as failed, and orders the elements that had confirmed to put them back. */
async function failHeld(
  tx: Ctx,
  tenant: Tenant,
  request: CarrierRequest,
  workings: Workings,
  failed: readonly { readonly row: WaitingDevice; readonly outcome: Outcome }[],
): Promise<void> {
  if (failed.length === 0) return;
  const operation = workings.operations.get(request.operation) ?? {};
  const places = failed.map(({ row }) => unfoundPlace(row, operation));
  await settle(tx, tenant, request, workings, {
    places,
    outcomes: failed.map(({ outcome }) => outcome),
    wereHeld: true,
  });
  const ids = failed.flatMap(({ row }) => row.deviceId ?? []);
  if (workings.network !== undefined)
    await putBack(tx, tenant.ecpdId, workings.network, { changeId: request.requestId, deviceIds: ids });
}

/** Changes lines that the network has confirmed, in the order of the request, as many as fit at once. Returns how many remain. */
async function changeConfirmed(
  tx: Ctx,
  tenant: Tenant,
  open: OpenRequest,
  workings: Workings,
  confirmed: readonly WaitingDevice[],
): Promise<number> {
  if (confirmed.length === 0) return 0;
  const { request, operation, body } = open;
  const ids = confirmed.flatMap(({ deviceId }) => deviceId ?? []);
  const fitting = (await operation.countFitting?.(tx, tenant, body, ids)) ?? ids.length;
  const rows = confirmed.slice(0, Math.max(1, fitting));
  const { asAsked, worked, found } = await openPlaces(tx, tenant, open, rows);
  const results = await operation.handle(asAsked, tenant, worked, found.devices);
  const outcomes = found.outcomesOf(results);
  await settle(tx, tenant, request, workings, { places: found.places, outcomes, wereHeld: true });
  // The line may have changed since it was ordered, and some elements are only informed of the result.
  const changed = rows.flatMap(({ deviceId }) => deviceId ?? []);
  await clearSettled(tx, tenant.ecpdId, changed);
  if (workings.network !== undefined)
    await orderLines(tx, tenant.ecpdId, workings.network, changed, {
      cause: 'follow',
      which: 'differing',
      requestId: request.requestId,
    });
  const unmade = found.places.flatMap(({ deviceId }, n) =>
    deviceId !== null && 'fault' in outcomes[n]! ? [deviceId] : [],
  );
  await noteUnmade(tx, tenant.ecpdId, request.requestId, unmade);
  return confirmed.length - rows.length;
}

/** Settles the devices whose orders are closed. Returns true when none of them remains. */
export const settleHeld = (
  ctx: Ctx,
  tenant: Tenant,
  { requestId, deviceIds }: { readonly requestId: string; readonly deviceIds: readonly string[] },
  workings: Workings,
): Promise<boolean> =>
  inTx(ctx, async (tx) => {
    const open = await lockRequest(tx, tenant, requestId, workings);
    if (open === undefined) return true;
    const rows = await lockHeld(tx, tenant, requestId, deviceIds);
    const { confirmed, failed } = await splitByOutcome(tx, tenant, requestId, rows);
    const faults = failed.map(({ row, reason }) => ({
      row,
      outcome: { fault: toDeviceFault(deviceFaults.network, reason) },
    }));
    // Settling locks what follows from it, the lanes of triggers for example, and changing lines locks what comes before that.
    const remaining = await changeConfirmed(tx, tenant, open, workings, confirmed);
    await failHeld(tx, tenant, open.request, workings, faults);
    return remaining === 0;
  });

/** Every attempt to settle them failed: marks them as failed, and has the network put them back. */
export const giveUpHeld = (
  ctx: Ctx,
  tenant: Tenant,
  { requestId, deviceIds }: { readonly requestId: string; readonly deviceIds: readonly string[] },
  workings: Workings,
): Promise<void> =>
  inTx(ctx, async (tx) => {
    const request = await lockOpenRequest(tx.db, tenant, requestId);
    if (request === undefined) return;
    const rows = await lockHeld(tx, tenant, requestId, deviceIds);
    const outcome = { fault: toDeviceFault(deviceFaults.unexpected) };
    await failHeld(
      tx,
      tenant,
      request,
      workings,
      rows.map((row) => ({ row, outcome })),
    );
  });
