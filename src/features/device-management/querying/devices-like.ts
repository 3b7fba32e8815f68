import type { Tenant } from '../../../platform/context/context.ts';
import type { Query } from '../../../platform/db/sql.ts';
import { readIdentifiers } from './read-identifiers.ts';
import type { ResourceIdentifier } from './schemas.ts';
import { devicesLike } from './sql-criteria.ts';

/** The ids of the devices that a resourceidentifier names; undefined where it names none. */
export function readDeviceIdentifiers(tenant: Tenant, resource: ResourceIdentifier): Query | undefined {
  const { own } = readIdentifiers('device', resource);
  return own.length === 0 ? undefined : devicesLike(tenant, own);
}
