import type { Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import type { Db } from '../../../platform/db/db.ts';
import { listLicensesOfDevices } from '../../sim-secure/index.ts';
import { recordFaults } from '../errors.ts';
import { LICENSES_MAX } from '../limits.ts';
import type { StoredRecord } from './fields.ts';
import type { WireRecord } from './wire.ts';

type Complete = (wire: WireRecord, record: StoredRecord) => WireRecord;
const asItIs: Complete = (wire) => wire;

/** Assigned licences precede the licences in the owner's fields; one statement reads them for all devices. */
export async function findLicenses(
  db: Db,
  tenant: Tenant,
  records: readonly StoredRecord[],
  cause: string,
): Promise<Complete> {
  const ids = records.filter(({ identifiers }) => identifiers !== undefined).map(({ id }) => id);
  if (ids.length === 0) return asItIs;
  const found =
    (await listLicensesOfDevices(db, tenant, ids, LICENSES_MAX)) ??
    refuse(recordFaults.answerTooLarge, { cause });
  return (wire, { id }) => {
    const [assigned, said] = [found.get(id), wire['licenses']];
    return assigned === undefined || !Array.isArray(said)
      ? wire
      : { ...wire, licenses: [...assigned, ...said] };
  };
}

/** Reads nothing if the projection omits the field. */
export const findLicensesFor = (
  projection: ReadonlySet<string> | undefined,
  ...[db, tenant, records, cause]: Parameters<typeof findLicenses>
): Promise<Complete> => findLicenses(db, tenant, (projection?.has('licenses') ?? true) ? records : [], cause);
