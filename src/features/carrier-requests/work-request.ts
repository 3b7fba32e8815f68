import { Value } from 'typebox/value';
import { type DeviceIdColumns, toDeviceRefs } from '../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { failed, postCallbacks } from '../callbacks/index.ts';
import type {
  CarrierOperation,
  CarrierRequest,
  LockedDevice,
  Outcome,
  WorkedRequest,
  Workings,
} from './carrier-operation.ts';
import { type DeviceFault, deviceFaults, toDeviceFault } from './errors.ts';
import { findNamedDevices } from './find-named-devices.ts';
import { listWaiting, lockDevices, lockLeaving, noteLearned, type WaitingDevice } from './sql-device.ts';
import { countSettled, findOpenRequest, lockOpenRequest } from './sql-request.ts';

const faultOf = ({ faultCode, faultText }: WaitingDevice): DeviceFault | undefined =>
  faultCode === null ? undefined : { faultcode: faultCode, faultstring: faultText ?? '' };

const NOT_FOUND: Outcome = { fault: toDeviceFault(deviceFaults.notFound) };
const NAMED_TWICE: Outcome = { fault: toDeviceFault(deviceFaults.namedTwice) };

/** A place in the request, with its device where there is one, or with what stands against it. */
interface Place {
  readonly row: WaitingDevice;
  /** How the device is named to its listener. */
  readonly told: WaitingDevice['ids'];
  readonly deviceId: string | null;
  readonly fault: DeviceFault | undefined;
}

/** As the request named the device, in the kinds that the operation tells; in its own where it was named by none of them. */
function callbackIds(
  { callbackKinds }: Pick<CarrierOperation, 'callbackKinds'>,
  { ids }: Pick<WaitingDevice, 'ids'>,
  device?: DeviceIdColumns,
): WaitingDevice['ids'] {
  if (callbackKinds === undefined) return ids;
  const named = ids.filter(({ kind }) => callbackKinds.includes(kind));
  const own = named.length > 0 || device === undefined ? [] : toDeviceRefs(device, callbackKinds);
  return [named, own, ids].find(({ length }) => length > 0) ?? ids;
}

/** Devices that nobody had when the request was taken; somebody may have got them since. */
async function addUnknown(
  ctx: Ctx,
  tenant: Tenant,
  operation: CarrierOperation,
  request: WorkedRequest<unknown>,
  rows: readonly WaitingDevice[],
): Promise<readonly Omit<Place, 'told'>[]> {
  if (operation.addDevices === undefined || rows.length === 0) return [];
  const named = rows.map(({ ids }) => ids.map(({ id, kind }) => ({ kind, value: id })));
  const takesFrom = operation.others && new Set<string>(operation.others.of(request.body));
  const found = await findNamedDevices(ctx.db, tenant, named, { mayAdd: true, takesFrom });
  const unknown = rows.flatMap((row, n) =>
    found[n]?.deviceId === undefined && found[n]?.fault === undefined
      ? [{ nth: row.nth, ids: named[n]! }]
      : [],
  );
  const added = await operation.addDevices(ctx, tenant, request, unknown);
  return rows.map((row, n) => ({
    row,
    deviceId: found[n]?.deviceId ?? added.get(row.nth) ?? null,
    fault: found[n]?.fault,
  }));
}

async function carryOut(
  ctx: Ctx,
  tenant: Tenant,
  operation: CarrierOperation,
  request: WorkedRequest<unknown>,
  rows: readonly WaitingDevice[],
): Promise<{ readonly places: readonly Place[]; readonly outcomes: readonly Outcome[] }> {
  const isUnknown = (row: WaitingDevice) => row.deviceId === null && row.faultCode === null;
  const added = await addUnknown(ctx, tenant, operation, request, rows.filter(isUnknown));
  const found = [
    ...rows
      .filter((row) => !isUnknown(row))
      .map((row) => ({ row, deviceId: row.deviceId, fault: faultOf(row) })),
    ...added,
  ];
  const wanted = new Map<string, (typeof found)[number]>();
  for (const place of found)
    if (place.deviceId !== null && place.fault === undefined && !wanted.has(place.deviceId))
      wanted.set(place.deviceId, place);
  const own = await lockDevices(ctx.db, tenant, [...wanted.keys()]);
  const others = operation.others?.of(request.body) ?? [];
  const leaving = others.length === 0 ? [] : await lockLeaving(ctx.db, tenant, others, [...wanted.keys()]);
  const locked = [...own, ...leaving];
  const rowOf = ({ deviceId }: { readonly deviceId: string }) => wanted.get(deviceId)!.row;
  const devices: LockedDevice[] = locked
    .toSorted((a, b) => rowOf(a).nth - rowOf(b).nth)
    .map((device) => ({
      ...device,
      answered: {
        requestId: request.requestId,
        deviceIds: callbackIds(operation, rowOf(device), device),
      },
    }));
  const byId = new Map(devices.map((device) => [device.deviceId, device]));
  const places = found.map((place) => ({
    ...place,
    told: callbackIds(operation, place.row, byId.get(place.deviceId ?? '')),
  }));
  const results = await operation.handle(ctx, tenant, request, devices);
  const outcomes = found.map((place): Outcome => {
    if (place.fault !== undefined) return { fault: place.fault };
    const first = place.deviceId === null ? undefined : wanted.get(place.deviceId);
    if (first !== undefined && first !== place) return NAMED_TWICE;
    return results.get(place.deviceId ?? '') ?? NOT_FOUND;
  });
  return { places, outcomes };
}

/**
 * Tells the listener of each place, and counts them; true when the request is ended. Nothing is decided by what the statements
 * answer, so each is sent while the one before runs.
 */
async function settle(
  tx: Ctx,
  tenant: Tenant,
  { requestId, operation }: CarrierRequest,
  { operations, onEnded }: Workings,
  { places, outcomes }: { readonly places: readonly Place[]; readonly outcomes: readonly Outcome[] },
): Promise<boolean> {
  const serviceName = operations.get(operation)?.serviceName ?? 'CarrierService';
  const faults = outcomes.map((outcome) => ('fault' in outcome ? outcome.fault : undefined));
  const learned = places.flatMap(({ row, deviceId }, n) => {
    const added = row.deviceId === null ? (deviceId ?? undefined) : undefined;
    const fault = faults[n];
    const isNew = added !== undefined || (fault !== undefined && row.faultCode === null);
    return isNew ? [{ nth: row.nth, added, fault }] : [];
  });
  const payloads = places.flatMap(({ told }, n) => {
    const outcome = outcomes[n]!;
    if ('skipped' in outcome) return [];
    return 'fault' in outcome ? [failed({ requestId, deviceIds: told }, outcome.fault)] : [outcome.payload];
  });
  const failures = faults.filter((fault) => fault !== undefined).length;
  const counts = { succeeded: places.length - failures, failed: failures, now: tx.now() };
  const [, , ended] = await Promise.all([
    noteLearned(tx.db, tenant, requestId, learned),
    postCallbacks(
      tx,
      tenant.ecpdId,
      payloads.map((payload) => ({ accountName: tenant.accountName, serviceName, requestId, payload })),
    ),
    countSettled(tx.db, tenant, requestId, counts),
  ]);
  if (ended === undefined) return false;
  for (const tell of onEnded) await tell(tx, tenant, { requestId, ...ended });
  return true;
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
    const found = await findOpenRequest(tx.db, tenant, requestId);
    if (found === undefined) return true;
    const operation = workings.operations.get(found.operation);
    if (operation === undefined) throw new Error(`nobody knows the operation ${found.operation}`);
    const body = Value.Parse(operation.body, found.body);
    await operation.prepare?.(tx, tenant, body);
    const request = await lockOpenRequest(tx.db, tenant, requestId);
    if (request === undefined) return true;
    const rows = await listFitting(tx, tenant, request, { operation, body, chunk: workings.limits.chunk });
    // What changes is the doing of who asked for it, and not of the job.
    const asAsked: Ctx = { ...tx, actor: { kind: request.createdByKind, name: request.createdBy } };
    return settle(
      tx,
      tenant,
      request,
      workings,
      await carryOut(asAsked, tenant, operation, { ...request, body }, rows),
    );
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
