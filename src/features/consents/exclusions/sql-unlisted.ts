import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { KINDS } from '../sql-device.ts';
import type { Removed } from './sql-exclusion.ts';

/**
 * Identifiers that take nobody out of the list: none is an entry, and no entry excludes the device that has it. Asked
 * before the list changes, by whoever holds it.
 */
export const findUnlisted = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  named: readonly Removed[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.many<{ identifier: string }>(sql`
    select asked.identifier
    from unnest(${named.map(({ identifier }) => identifier)}::text[], ${named.map(({ deviceId }) => deviceId)}::uuid[])
      as asked (identifier, device_id)
    where not exists (select from exclusion e
        where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = asked.identifier)
      and not exists (select from excluded_device x
        where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id = asked.device_id)
      and not exists (select from device_identifier di
        join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = di.value
        where di.ecpd_id = ${ecpdId} and di.device_id = asked.device_id and di.kind = any(${KINDS}))`);
  return new Set(rows.map(({ identifier }) => identifier));
};
