import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { notBefore } from './consent.ts';
import { KINDS } from './sql-device.ts';
import {
  type ExclusionChange,
  excludedUnder,
  keysOf,
  namedRows,
  type Removed,
  wantedRows,
} from './sql-exclusion.ts';

/**
 * Locks the account before its list and devices, in the same order as the deletion of an account, so that they cannot
 * deadlock.
 */
export const holdAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = ${accountName} for key share`);

/**
 * Creates the list if it is missing, and locks it: changes of one list run one after another. Returns the time of the
 * change that follows.
 */
export async function lockExclusionList({ db, now }: Ctx, { ecpdId, accountName }: Tenant): Promise<Date> {
  await db.exec(sql`
    insert into exclusion_list (ecpd_id, account_name, all_device, updated_at)
    values (${ecpdId}, ${accountName}, false, ${now()}) on conflict do nothing`);
  const { updatedAt } = await db.one<{ updatedAt: Date }>(sql`
    select updated_at as "updatedAt" from exclusion_list
    where ecpd_id = ${ecpdId} and account_name = ${accountName} for update`);
  return notBefore(now(), updatedAt);
}

/**
 * Locks the devices that a change of the list concerns until the transaction ends: added devices, so that rows can
 * refer to them, and devices of removed entries, because a concurrent deletion would lock the shared rows in another
 * order. Returns the devices that still exist.
 */
export const holdChangedDevices = async (
  db: Db,
  tenant: Tenant,
  { add, remove }: Pick<ExclusionChange, 'add' | 'remove'>,
): Promise<ReadonlySet<string>> => {
  const { ecpdId, accountName } = tenant;
  const rows = await db.many<{ deviceId: string }>(sql`
    with wanted as materialized (${wantedRows(add)}), named as materialized (${namedRows(tenant, remove)})
    select d.device_id as "deviceId" from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id in (
      select device_id from wanted
      union all select unnest(${keysOf(remove)}::uuid[])
      union all
      select x.device_id from named cross join lateral (${excludedUnder(tenant, sql`named.identifier`)}) x)
    order by d.device_id for key share of d`);
  return new Set(rows.map(({ deviceId }) => deviceId));
};

/**
 * Identifiers whose removal changes nothing: none is an entry, and no entry excludes its device. Call it before the
 * list changes, with the list locked.
 */
export const findUnlisted = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  named: readonly Removed[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.many<{ identifier: string }>(sql`
    select given.identifier
    from unnest(${named.map(({ identifier }) => identifier)}::text[], ${named.map(({ deviceId }) => deviceId)}::uuid[])
      as given (identifier, device_id)
    where not exists (select 1 from exclusion e
        where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = given.identifier)
      and not exists (select 1 from excluded_device x
        where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id = given.device_id)
      and not exists (select 1 from device_identifier di
        join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = di.value
        where di.ecpd_id = ${ecpdId} and di.device_id = given.device_id and di.kind = any(${KINDS}))`);
  return new Set(rows.map(({ identifier }) => identifier));
};

export const countExclusions = (db: Db, { ecpdId, accountName }: Tenant): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from exclusion where ecpd_id = ${ecpdId} and account_name = ${accountName}`);

interface ExclusionPage {
  readonly allDevice: boolean;
  readonly updatedAt: Date;
  readonly totalCount: number;
  readonly identifiers: string[];
}

/** One statement, so that count and page are consistent. Undefined if there never was a list. */
export const findExclusionPage = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { startIndex, limit }: { startIndex: number; limit: number },
) =>
  db.maybe<ExclusionPage>(sql`
    select l.all_device as "allDevice", l.updated_at as "updatedAt",
      (select count(*)::int from exclusion e
       where e.ecpd_id = l.ecpd_id and e.account_name = l.account_name) as "totalCount",
      array(select e.identifier from exclusion e
            where e.ecpd_id = l.ecpd_id and e.account_name = l.account_name
            order by e.identifier offset ${startIndex} limit ${limit}) as identifiers
    from exclusion_list l where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName}`);
