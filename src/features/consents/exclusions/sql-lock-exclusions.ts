import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type ExclusionChange, excludedUnder, keysOf, naming, wanting } from './sql-exclusion.ts';

/** Before its list and its devices are locked, as whoever deletes the account does: nobody waits for another in a circle. */
export const holdAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    select from account where ecpd_id = ${ecpdId} and account_name = ${accountName} for key share`);

/** Makes the list where there is none, and holds it: changes of one list come one after the other. */
export async function lockExclusionList(
  db: Db,
  { ecpdId, accountName }: Tenant,
  now: Date,
): Promise<{ readonly updatedAt: Date }> {
  await db.exec(sql`
    insert into exclusion_list (ecpd_id, account_name, all_device, updated_at)
    values (${ecpdId}, ${accountName}, false, ${now}) on conflict do nothing`);
  return db.one(sql`
    select updated_at as "updatedAt" from exclusion_list
    where ecpd_id = ${ecpdId} and account_name = ${accountName} for update`);
}

/**
 * Whom a change of the list concerns, held until the transaction ends: whoever is added can then be written, and who an
 * entry was made for that leaves is not deleted meanwhile, which would lock what belongs to both in another order. Answers
 * who of them is still there.
 */
export const holdChangedDevices = async (
  db: Db,
  tenant: Tenant,
  { add, remove }: Pick<ExclusionChange, 'add' | 'remove'>,
): Promise<ReadonlySet<string>> => {
  const { ecpdId, accountName } = tenant;
  const rows = await db.many<{ deviceId: string }>(sql`
    with wanted as materialized (${wanting(add)}), named as materialized (${naming(tenant, remove)})
    select d.device_id as "deviceId" from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id in (
      select device_id from wanted
      union all select unnest(${keysOf(remove)}::uuid[])
      union all
      select x.device_id from named cross join lateral (${excludedUnder(tenant, sql`named.identifier`)}) x)
    order by d.device_id for key share of d`);
  return new Set(rows.map(({ deviceId }) => deviceId));
};
