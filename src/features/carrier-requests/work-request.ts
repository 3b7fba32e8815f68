import { Value } from 'typebox/value';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { CarrierOperation, CarrierRequest, Workings } from './carrier-operation.ts';
import { deviceFaults, toDeviceFault } from './errors.ts';
import { callbackIds, faultOf, findPlaces } from './find-places.ts';
import { carryOut } from './hold-devices.ts';
import { settle } from './settle-places.ts';
import { listWaiting, type WaitingDevice } from './sql-device.ts';
import { findOpenRequest, lockOpenRequest } from './sql-request.ts';

/** What a request asks for, and its body as the operation knows it. */
export function operationOf(
  { operation: name, body }: CarrierRequest,
  { operations }: Workings,
): { readonly operation: CarrierOperation; readonly body: unknown } {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`nobody knows the operation ${name}`);
  return { operation, body: Value.Parse(operation.body, body) };
}

/** The next rows of a request, as many as the operation works on at once. */
async function listFitting(
  tx: Ctx,
  tenant: Tenant,
  request: CarrierRequest,
  { operation, body, chunk }: { operation: CarrierOperation; body: unknown; chunk: number },
): Promise<readonly WaitingDevice[]> {
  const rows = await listWaiting(tx.db, tenant, request, chunk);
  const deviceIds = rows.flatMap(({ deviceId }) => deviceId ?? []);
  if (operation.countFitting === undefined || deviceIds.length === 0) return rows;
  const fitting = new Set(deviceIds.slice(0, await operation.countFitting(tx, tenant, body, deviceIds)));
  const end = rows.findIndex(({ deviceId }) => deviceId !== null && !fitting.has(deviceId));
  return end === -1 ? rows : rows.slice(0, end);
}

/** Works on the next devices of a request; true when nothing is left. What was settled is never touched again. */
export const workChunk = (
  ctx: Ctx,
  tenant: Tenant,
  requestId: string,
  workings: Workings,
): Promise<boolean> =>
  inTx(ctx, async (tx) => {
    const asked = await findOpenRequest(tx.db, tenant, requestId);
    if (asked === undefined) return true;
    const { operation, body } = operationOf(asked, workings);
    await operation.prepare?.(tx, tenant, body);
    const request = await lockOpenRequest(tx.db, tenant, requestId);
    if (request === undefined) return true;
    const rows = await listFitting(tx, tenant, request, { operation, body, chunk: workings.limits.chunk });
    // What is left waits for the network.
    if (rows.length === 0) return true;
    // What changes is the doing of who asked for it, and not of the job.
    const asAsked: Ctx = { ...tx, actor: { kind: request.createdByKind, name: request.createdBy } };
    const worked = { ...request, body };
    const found = await findPlaces(asAsked, tenant, operation, worked, rows);
    const results = await carryOut(
      asAsked,
      tenant,
      { operation, request: worked, network: workings.network },
      found,
    );
    const outcomes = found.outcomesOf(results);
    return settle(tx, tenant, request, workings, { places: found.places, outcomes });
  });

/** Whoever waits for the request is told what became of it, also when nobody could work on it. */
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
      const places = rows.map((row) => ({
        row,
        told: callbackIds(operation, row),
        deviceId: row.deviceId,
        fault: undefined,
      }));
      const outcomes = rows.map((row) => ({ fault: faultOf(row) ?? unexpected }));
      return settle(tx, tenant, request, workings, { places, outcomes });
    });
  while (!(await failChunk()));
}
