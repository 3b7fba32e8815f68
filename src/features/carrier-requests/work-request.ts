import { Value } from 'typebox/value';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { CarrierOperation, CarrierRequest, Workings } from './carrier-operation.ts';
import { deviceFaults, toDeviceFault } from './errors.ts';
import { faultOf, findPlaces, unfoundPlace } from './find-places.ts';
import { carryOut } from './hold-devices.ts';
import { settle } from './settle-places.ts';
import { listWaiting, type WaitingDevice } from './sql-device.ts';
import { findOpenRequest, lockOpenRequest } from './sql-request.ts';

/** A request that is locked until the transaction ends, and what it asks for. */
export interface OpenRequest {
  readonly request: CarrierRequest;
  readonly operation: CarrierOperation;
  /** Parsed with the operation's schema. */
  readonly body: unknown;
}

/** Undefined if the request has ended. The operation takes its own locks before the request is locked. */
export async function lockRequest(
  tx: Ctx,
  tenant: Tenant,
  requestId: string,
  { operations }: Workings,
): Promise<OpenRequest | undefined> {
  const asked = await findOpenRequest(tx.db, tenant, requestId);
  if (asked === undefined) return undefined;
  const operation = operations.get(asked.operation);
  if (operation === undefined) throw new Error(`unknown operation ${asked.operation}`);
  const body = Value.Parse(operation.body, asked.body);
  await operation.prepare?.(tx, tenant, body);
  const request = await lockOpenRequest(tx.db, tenant, requestId);
  return request && { request, operation, body };
}

/** Finds the devices of these rows, and a context in the name of the requester: the change is not made in the name of the job. */
export async function openPlaces(
  tx: Ctx,
  tenant: Tenant,
  { request, operation, body }: OpenRequest,
  rows: readonly WaitingDevice[],
) {
  const asAsked: Ctx = { ...tx, actor: { kind: request.createdByKind, name: request.createdBy } };
  const worked = { ...request, body };
  return { asAsked, worked, found: await findPlaces(asAsked, tenant, operation, worked, rows) };
}

/** The next rows of a request, as many as the operation works on at once. */
async function listFitting(
  tx: Ctx,
  tenant: Tenant,
  { request, operation, body }: OpenRequest,
  chunk: number,
): Promise<readonly WaitingDevice[]> {
  const rows = await listWaiting(tx.db, tenant, request, chunk);
  const deviceIds = rows.flatMap(({ deviceId }) => deviceId ?? []);
  if (operation.countFitting === undefined || deviceIds.length === 0) return rows;
  const fitting = new Set(deviceIds.slice(0, await operation.countFitting(tx, tenant, body, deviceIds)));
  const end = rows.findIndex(({ deviceId }) => deviceId !== null && !fitting.has(deviceId));
  return end === -1 ? rows : rows.slice(0, end);
}

/** Works on the next devices of a request; returns true if none remains. Settled devices are never touched again. */
export const workChunk = (
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
  workings: Workings,
): Promise<boolean> =>
  inTx(ctx, async (tx) => {
    const open = await lockRequest(tx, tenant, requestId, workings);
    if (open === undefined) return true;
    const { request, operation } = open;
    const rows = await listFitting(tx, tenant, open, workings.limits.chunk);
    // The remaining devices wait for the network.
    if (rows.length === 0) return true;
    const { asAsked, worked, found } = await openPlaces(tx, tenant, open, rows);
    const results = await carryOut(
      asAsked,
      tenant,
      { operation, request: worked, network: workings.network },
      found,
    );
    const outcomes = found.outcomesOf(results);
    return settle(tx, tenant, request, workings, { places: found.places, outcomes });
  });

/** Fails all remaining devices, so that the customer gets a result for each device even if no worker could finish the request. */
export async function giveUpRequest(
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
  workings: Workings,
): Promise<void> {
  const unexpected = toDeviceFault(deviceFaults.unexpected);
  const failChunk = () =>
    inTx(ctx, async (tx) => {
      const request = await lockOpenRequest(tx.db, tenant, requestId);
      if (request === undefined) return true;
      const rows = await listWaiting(tx.db, tenant, request, workings.limits.chunk);
      if (rows.length === 0) return true;
      const operation = workings.operations.get(request.operation) ?? {};
      const places = rows.map((row) => unfoundPlace(row, operation));
      const outcomes = rows.map((row) => ({ fault: faultOf(row) ?? unexpected }));
      return settle(tx, tenant, request, workings, { places, outcomes });
    });
  while (!(await failChunk()));
}
