import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { KINDS } from './sql-device.ts';

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

export interface NamedDevice {
  readonly identifier: string;
  readonly deviceId: string;
}

export interface ExclusionChange {
  readonly at: Date;
  readonly actor: string;
  /** Undefined leaves it as it is. */
  readonly allDevice: boolean | undefined;
  readonly add: readonly NamedDevice[];
  /** What leaves the list: what is not among the added, what names these devices, or nothing. */
  readonly remove:
    | 'others'
    | readonly { readonly identifier: string; readonly deviceId: string | null }[]
    | 'nothing';
}

/** The devices that the list names, by the device an entry was made for or by the one that has its identifier now. */
const devicesInList = ({ ecpdId, accountName }: Tenant): Query => sql`
  select e.device_id from exclusion e
  where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.device_id is not null
  union
  select di.device_id from exclusion e
  join device_identifier di on di.kind = any(${KINDS}) and di.value = e.identifier
    and di.ecpd_id = e.ecpd_id and di.account_name = e.account_name
  where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName}`;

function leaving({ ecpdId }: Tenant, remove: ExclusionChange['remove']): Query {
  if (remove === 'nothing') return sql`false`;
  if (remove === 'others') return sql`e.identifier not in (select identifier from wanted)`;
  const deviceIds = remove.flatMap(({ deviceId }) => deviceId ?? []);
  return sql`(e.identifier = any(${remove.map(({ identifier }) => identifier)}::text[])
    or e.device_id = any(${deviceIds}::uuid[])
    or e.identifier in (select value from device_identifier
                        where ecpd_id = ${ecpdId} and device_id = any(${deviceIds}::uuid[]) and kind = any(${KINDS})))`;
}

/**
 * One statement for list, flag and ledger. A device that the list names already gets no second entry, unless
 * the list is replaced: then it is named as it was sent. Only a list that changed is dated anew.
 */
export const changeExclusions = (db: Db, tenant: Tenant, change: ExclusionChange) => {
  const { ecpdId, accountName } = tenant;
  const { at, actor, add } = change;
  const allDevice = change.allDevice ?? null;
  return db.exec(sql`
    with wanted as materialized (
      select * from unnest(${add.map((one) => one.identifier)}::text[], ${add.map((one) => one.deviceId)}::uuid[])
        as w (identifier, device_id)),
    switched as (
      select case when ${allDevice}::boolean then 'exclude-all' else 'allow-all' end as change from exclusion_list
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and all_device <> ${allDevice}::boolean),
    allowed as (
      delete from exclusion e
      where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and ${leaving(tenant, change.remove)}
      returning e.identifier, e.device_id),
    excluded as (
      insert into exclusion (ecpd_id, account_name, identifier, device_id)
      select ${ecpdId}, ${accountName}, w.identifier, w.device_id from wanted w
      where ${change.remove === 'others' ? sql`true` : sql`w.device_id not in (${devicesInList(tenant)})`}
      on conflict do nothing
      returning identifier, device_id),
    entered as (
      insert into consent_ledger (ecpd_id, account_name, at, actor, change, identifier, device_id)
      select ${ecpdId}, ${accountName}, ${at}, ${actor}, change, identifier, device_id
      from (select change, null::text as identifier, null::uuid as device_id from switched
            union all select 'allow', identifier, device_id from allowed
            union all select 'exclude', identifier, device_id from excluded) changes
      order by change, identifier
      returning entry_id)
    update exclusion_list l set all_device = coalesce(${allDevice}::boolean, l.all_device), updated_at = ${at}
    where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName} and exists (select from entered)`);
};

export const countExclusions = async (db: Db, { ecpdId, accountName }: Tenant): Promise<number> =>
  (
    await db.one<{ n: number }>(sql`
      select count(*)::int as n from exclusion where ecpd_id = ${ecpdId} and account_name = ${accountName}`)
  ).n;

export interface ExclusionPage {
  readonly allDevice: boolean;
  readonly updatedAt: Date;
  readonly totalCount: number;
  readonly identifiers: string[];
}

/** In one statement, so that count and page are of one moment. Undefined where there never was a list. */
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
