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

/** A place in the request, with its device where there is one, or with what stands against it. */
export interface Place {
  readonly row: WaitingDevice;
  /** How callbacks name the device. */
  readonly reportedIds: WaitingDevice['ids'];
  readonly deviceId: string | null;
  readonly fault: DeviceFault | undefined;
}

/** As the request named the device, in the kinds that the operation reports; in its own where it was named by none of them. */
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

/** A row whose device is not looked for: it has failed as it stands. */
export const unfoundPlace = (
  row: WaitingDevice,
  operation: Pick<CarrierOperation, 'callbackKinds'>,
): Place => ({ row, reportedIds: callbackIds(operation, row), deviceId: row.deviceId, fault: undefined });

/** Devices that nobody had when the request was taken; somebody may have got them since. */
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

/** The devices of some rows of a request, locked, and the rows as places that know theirs. */
export interface FoundPlaces {
  readonly places: readonly Place[];
  /** In the order of the request, each once. */
  readonly devices: readonly LockedDevice[];
  /** What became of each place, by what became of the devices. */
  outcomesOf<O>(results: ReadonlyMap<string, O>): readonly (O | Outcome)[];
}

/** Reads the devices once more, under the locks that are held. */
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

/** Finds and locks the devices of rows; those that nobody had are added where the operation does that. */
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
