import { type DeviceIdColumns, toDeviceRefs } from '../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { CarrierOperation, LockedDevice, Outcome, WorkedRequest } from './carrier-operation.ts';
import { type DeviceFault, deviceFaults, toDeviceFault } from './errors.ts';
import { findNamedDevices } from './find-named-devices.ts';
import { lockDevices, lockLeaving, type WaitingDevice } from './sql-device.ts';

export const faultOf = ({ faultCode, faultText }: WaitingDevice): DeviceFault | undefined =>
  faultCode === null ? undefined : { faultcode: faultCode, faultstring: faultText ?? '' };

const NOT_FOUND: Outcome = { fault: toDeviceFault(deviceFaults.notFound) };
const NAMED_TWICE: Outcome = { fault: toDeviceFault(deviceFaults.namedTwice) };

/** A place in the request, with its device if it has one, or with its fault. */
export interface Place {
  readonly row: WaitingDevice;
  /** The identifiers by which callbacks name the device. */
  readonly reportedIds: WaitingDevice['ids'];
  readonly deviceId: string | null;
  readonly fault: DeviceFault | undefined;
}

/**
 * The request's identifiers of the kinds that the operation reports. If it named none of them, the device's own of
 * those kinds.
 */
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

/** The place of a row that fails without finding its device. */
export const unfoundPlace = (
  row: WaitingDevice,
  operation: Pick<CarrierOperation, 'callbackKinds'>,
): Place => ({ row, reportedIds: callbackIds(operation, row), deviceId: row.deviceId, fault: undefined });

/** Handles devices that did not exist when the request was accepted; they may exist by now. */
async function addUnknown(
  ctx: Ctx,
  tenant: Tenant,
  operation: CarrierOperation,
  request: WorkedRequest<unknown>,
  rows: readonly WaitingDevice[],
): Promise<readonly Omit<Place, 'reportedIds'>[]> {
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

type FoundPlace = Omit<Place, 'reportedIds'>;

/** The locked devices of some rows of a request, and the rows as places with their devices. */
export interface FoundPlaces {
  readonly places: readonly Place[];
  /** In the order of the request, each once. */
  readonly devices: readonly LockedDevice[];
  /** The outcome of each place, from the outcomes of the devices. */
  outcomesOf<O>(results: ReadonlyMap<string, O>): readonly (O | Outcome)[];
}

/** Reads the devices again, under the locks that are held. */
export async function lockPlaces(
  ctx: Ctx,
  tenant: Tenant,
  operation: CarrierOperation,
  request: WorkedRequest<unknown>,
  rows: readonly WaitingDevice[],
): Promise<readonly LockedDevice[]> {
  const rowOf = new Map(rows.map((row) => [row.deviceId, row]));
  const deviceIds = rows.flatMap(({ deviceId }) => deviceId ?? []);
  const own = await lockDevices(ctx.db, tenant, deviceIds);
  const others = operation.others?.of(request.body) ?? [];
  const leaving = others.length === 0 ? [] : await lockLeaving(ctx.db, tenant, others, deviceIds);
  const locked = [...own, ...leaving];
  return locked
    .toSorted((a, b) => rowOf.get(a.deviceId)!.nth - rowOf.get(b.deviceId)!.nth)
    .map((device) => ({
      ...device,
      answered: {
        requestId: request.requestId,
        deviceIds: callbackIds(operation, rowOf.get(device.deviceId)!, device),
      },
    }));
}

/** Finds and locks the devices of rows. Adds unknown ones if the operation does that. */
export async function findPlaces(
  ctx: Ctx,
  tenant: Tenant,
  operation: CarrierOperation,
  request: WorkedRequest<unknown>,
  rows: readonly WaitingDevice[],
): Promise<FoundPlaces> {
  const isUnknown = (row: WaitingDevice) => row.deviceId === null && row.faultCode === null;
  const added = await addUnknown(ctx, tenant, operation, request, rows.filter(isUnknown));
  const found: readonly FoundPlace[] = [
    ...rows
      .filter((row) => !isUnknown(row))
      .map((row) => ({ row, deviceId: row.deviceId, fault: faultOf(row) })),
    ...added,
  ];
  const wanted = new Map<string, FoundPlace>();
  for (const place of found)
    if (place.deviceId !== null && place.fault === undefined && !wanted.has(place.deviceId))
      wanted.set(place.deviceId, place);
  const wantedRows = [...wanted].map(([deviceId, { row }]) => ({ ...row, deviceId }));
  const devices = await lockPlaces(ctx, tenant, operation, request, wantedRows);
  const byId = new Map(devices.map((device) => [device.deviceId, device]));
  const places = found.map((place) => ({
    ...place,
    reportedIds: callbackIds(operation, place.row, byId.get(place.deviceId ?? '')),
  }));
  return {
    places,
    devices,
    outcomesOf: (results) =>
      found.map((place) => {
        if (place.fault !== undefined) return { fault: place.fault };
        const first = place.deviceId === null ? undefined : wanted.get(place.deviceId);
        if (first !== undefined && first !== place) return NAMED_TWICE;
        return results.get(place.deviceId ?? '') ?? NOT_FOUND;
      }),
  };
}
