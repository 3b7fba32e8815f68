import type { Tenant } from '../../../../platform/context/context.ts';
import type { Db } from '../../../../platform/db/db.ts';
import type { Query } from '../../../../platform/db/sql.ts';
import {
  begins,
  type DeviceListing,
  type FoundDevice,
  findEndOfWalk,
  hasInName,
  isOneOf,
  listDevices,
  thoseThatBegin,
} from './sql-devices.ts';

export interface DeviceSearch extends DeviceListing {
  /** The beginning of any identifier or of the name; where nothing begins so, a part of the name. */
  readonly search: string | undefined;
}

export interface SearchBounds {
  /** So many are fetched by their ids; of more, the first are soon met on a walk through the account. */
  readonly namedMax: number;
  /** So many devices are looked at for one page, whether they fit or not. */
  readonly lookedMax: number;
}
const BOUNDS: SearchBounds = { namedMax: 1_000, lookedMax: 100_000 };

export interface DevicePage {
  readonly devices: readonly FoundDevice[];
  readonly next: string | undefined;
}

const lastOf = (devices: readonly FoundDevice[], limit: number): string | undefined =>
  devices.length === limit ? devices.at(-1)?.listNumber : undefined;

/** Looks at each device. A page may have few or none and the list still go on. */
async function walk(
  db: Db,
  tenant: Tenant,
  asked: DeviceListing,
  fits: Query,
  lookedMax: number,
): Promise<DevicePage> {
  const until = await findEndOfWalk(db, tenant, { after: asked.after, devices: lookedMax });
  const devices = await listDevices(db, tenant, asked, { fits, until });
  return { devices, next: lastOf(devices, asked.limit) ?? until };
}

/** What begins so is found by index; only where nothing does are names read for a part of them. */
export async function findDevices(
  db: Db,
  tenant: Tenant,
  { search, ...asked }: DeviceSearch,
  { namedMax, lookedMax }: SearchBounds = BOUNDS,
): Promise<DevicePage> {
  if (search === undefined) {
    const devices = await listDevices(db, tenant, asked);
    return { devices, next: lastOf(devices, asked.limit) };
  }
  const found = await db.many<{ deviceId: string }>(thoseThatBegin(tenant, search, namedMax + 1));
  const named = found.map(({ deviceId }) => deviceId);
  if (named.length === 0) return walk(db, tenant, asked, hasInName(search), lookedMax);
  if (named.length > namedMax) return walk(db, tenant, asked, begins(search), lookedMax);
  const devices = await listDevices(db, tenant, asked, { fits: isOneOf(named) });
  return { devices, next: lastOf(devices, asked.limit) };
}
