import type { Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import type { Db } from '../../../platform/db/db.ts';
import { recordFaults } from '../errors.ts';
import { readIdentifiers } from './read-identifiers.ts';
import type { ResourceIdentifier } from './schemas.ts';
import { listDevicesLike } from './sql-records.ts';
import type { StoredRecord } from './stored-record.ts';

const cause = 'resourceidentifier';

/** The one device, gateway or sensor of the account that fits; anything but one is refused. */
export async function findOneDevice(
  db: Db,
  tenant: Tenant,
  resource: ResourceIdentifier | undefined,
): Promise<StoredRecord> {
  const { own } = readIdentifiers('device', resource);
  if (own.length === 0) refuse(recordFaults.identifierMissing, { cause });
  const [device, another] = await listDevicesLike(db, tenant, own);
  if (another !== undefined) refuse(recordFaults.ambiguous, { cause });
  return device ?? refuse(recordFaults.notFound, { cause });
}
