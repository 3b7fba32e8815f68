import type { DeviceId } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type DeviceFault, deviceFaults, toDeviceFault } from './errors.ts';
import { listOwners, type Owner } from './sql-device.ts';

/** The device, a fault, or neither if no device has any of the identifiers. */
type Found =
  | { readonly deviceId: string; readonly accountName: string; readonly fault?: undefined }
  | { readonly deviceId?: undefined; readonly fault: DeviceFault }
  | { readonly deviceId?: undefined; readonly fault?: undefined };

const NOT_FOUND = { fault: toDeviceFault(deviceFaults.notFound) };
const OTHER_ACCOUNT = { fault: toDeviceFault(deviceFaults.otherAccount) };
const CONTRADICTING = { fault: toDeviceFault(deviceFaults.contradicting) };
const NAMED_TWICE = { fault: toDeviceFault(deviceFaults.namedTwice) };

interface Meant {
  /** A device may be named by its own identifiers together with unknown ones. */
  readonly mayAdd: boolean;
  /** Devices of these other accounts count too; those of any further account are not found. */
  readonly takesFrom?: ReadonlySet<string> | undefined;
}

/** Another customer's device counts as not found, whatever other identifiers are named with it. */
function checkNamed(
  { ecpdId, accountName }: Tenant,
  ids: readonly DeviceId[],
  owners: readonly Owner[],
  { mayAdd, takesFrom }: Meant,
): Found {
  // A device has at most one identifier of a kind.
  if (new Set(ids.map(({ kind }) => kind)).size < ids.length) return CONTRADICTING;
  if (owners.length === 0) return {};
  const own = owners.filter((owner) => owner.ecpdId === ecpdId);
  const [first] = own;
  if (first === undefined) return NOT_FOUND;
  // An unknown identifier is no contradiction if it can be added to the device.
  const expected = mayAdd ? owners.length : ids.length;
  if (own.length < expected || own.some(({ deviceId }) => deviceId !== first.deviceId)) return CONTRADICTING;
  if (first.accountName === accountName || takesFrom?.has(first.accountName))
    return { deviceId: first.deviceId, accountName: first.accountName };
  return takesFrom === undefined ? OTHER_ACCOUNT : NOT_FOUND;
}

/** Finds all named devices in one statement. Only the first mention of a device counts. */
export async function findNamedDevices(
  db: Db,
  tenant: Tenant,
  named: readonly (readonly DeviceId[])[],
  meant: Meant,
): Promise<readonly Found[]> {
  const asked = named.flatMap((ids, nth) => ids.map((id) => ({ ...id, nth })));
  const owners = Map.groupBy(await listOwners(db, asked), ({ nth }) => nth);
  const seen = new Set<string>();
  return named.map((ids, nth) => {
    const found = checkNamed(tenant, ids, owners.get(nth) ?? [], meant);
    if (found.fault !== undefined) return found;
    const keys = [...ids.map(({ kind, value }) => `${kind} ${value}`), found.deviceId ?? []].flat();
    const repeated = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return repeated ? NAMED_TWICE : found;
  });
}
