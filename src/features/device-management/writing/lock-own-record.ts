import { isUuid } from '../../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import type { RecordKind } from '../querying/fields.ts';
import { lockRecord } from '../querying/sql-records.ts';
import type { StoredRecord } from '../querying/stored-record.ts';

/** What cannot be an id is the id of no record. */
export const idOf = (text: string, cause: string): string =>
  isUuid(text) ? text.toLowerCase() : refuse(recordFaults.notFound, { cause });

/** The account's record, held until the transaction ends, as whoever wants to change it has seen it. */
export async function lockOwnRecord(
  { db }: Ctx,
  tenant: Tenant,
  kind: RecordKind,
  { id, cause }: { readonly id: string; readonly cause: string },
  ...versionIds: readonly (string | undefined)[]
): Promise<StoredRecord> {
  const present = await lockRecord(db, tenant, kind, idOf(id, cause));
  if (present === undefined) return refuse(recordFaults.notFound, { cause });
  const isStale = versionIds.some((seen) => seen !== undefined && seen.toLowerCase() !== present.versionId);
  return isStale ? refuse(recordFaults.stale, { cause: 'versionid' }) : present;
}
