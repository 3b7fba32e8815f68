import type { Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Query } from '../../../platform/db/sql.ts';
import { recordFaults } from '../errors.ts';
import type { StoredRecord } from './fields.ts';
import { parseIdentifiers } from './parse-identifiers.ts';
import type { ResourceIdentifier } from './schemas.ts';
import { devicesLike } from './sql-criteria.ts';
import { listDevicesLike } from './sql-records.ts';

const cause = 'resourceidentifier';

/** The one device, gateway or sensor of the account that matches; refuses none and several. */
export async function findOneDevice(
  db: Db,
  tenant: Tenant,
  resource: ResourceIdentifier | undefined,
): Promise<StoredRecord> {
  const { own } = parseIdentifiers('device', resource);
  if (own.length === 0) refuse(recordFaults.identifierMissing, { cause });
  const [device, another] = await listDevicesLike(db, tenant, own);
  if (another !== undefined) refuse(recordFaults.ambiguous, { cause });
  return device ?? refuse(recordFaults.notFound, { cause });
}

/** Selects the ids of the devices named by a resourceidentifier; undefined if it names none. */
export function parseDeviceIdentifiers(tenant: Tenant, resource: ResourceIdentifier): Query | undefined {
  const { own } = parseIdentifiers('device', resource);
  return own.length === 0 ? undefined : devicesLike(tenant, own);
}
