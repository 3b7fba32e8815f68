import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { KINDS } from './sql-device.ts';
import { enterChanges } from './sql-ledger-entry.ts';

export interface NamedDevice {
  readonly identifier: string;
  readonly deviceId: string;
}

export interface Removed {
  readonly identifier: string;
  readonly deviceId: string | null;
}

/** A change removes everything that is not added, or nothing, or what names the given devices (and then adds nothing). */
export type ExclusionChange = {
  readonly at: Date;
  readonly actor: string;
  /** Undefined: unchanged. */
  readonly allDevice: boolean | undefined;
} & (
  | { readonly add: readonly NamedDevice[]; readonly remove: 'others' | 'nothing' }
  | { readonly add: readonly []; readonly remove: readonly Removed[] }
);

/** The definition of `wanted` in the statements of a change. */
export const wantedRows = (add: readonly NamedDevice[]): Query => sql`
  select * from unnest(${add.map((one) => one.identifier)}::text[], ${add.map((one) => one.deviceId)}::uuid[])
    as w (identifier, device_id)`;

/**
 * The rows to add. A device that already has an entry gets no second one. A device that an entry covers only by its
 * identifier becomes a device of that entry. A replaced list, however, names each device as it was sent.
 */
const addedRows = ({ ecpdId, accountName }: Tenant, remove: ExclusionChange['remove']): Query =>
  remove === 'others'
    ? sql`select identifier, device_id from wanted`
    : sql`
      select coalesce(held.identifier, w.identifier) as identifier, w.device_id from wanted w
      left join lateral (
        select e.identifier from device_identifier di
        join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = di.value
        where di.ecpd_id = ${ecpdId} and di.device_id = w.device_id and di.kind = any(${KINDS})
        order by e.identifier limit 1) held on true
      where not exists (select 1 from excluded_device x
        where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id = w.device_id)`;

/** The entries to remove, and whether by name or only because a removed device has their identifier. */
export function namedRows({ ecpdId, accountName }: Tenant, remove: ExclusionChange['remove']): Query {
  const leaving = (byName: Query, where: Query) => sql`
    select e.identifier, ${byName} as by_name from exclusion e
    where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and ${where}`;
  if (remove === 'nothing') return leaving(sql`false`, sql`false`);
  if (remove === 'others')
    return leaving(sql`true`, sql`e.identifier not in (select identifier from wanted)`);
  const byName = sql`e.identifier = any(${remove.map(({ identifier }) => identifier)}::text[])`;
  return leaving(
    byName,
    sql`(${byName} or e.identifier in (
      select value from device_identifier
      where ecpd_id = ${ecpdId} and device_id = any(${keysOf(remove)}::uuid[]) and kind = any(${KINDS})))`,
  );
}

export const keysOf = (remove: ExclusionChange['remove']): string[] =>
  typeof remove === 'string' ? [] : remove.flatMap(({ deviceId }) => deviceId ?? []);

/**
 * Devices whose entry is removed only because another device now has its identifier. They were not removed themselves,
 * so each is listed under the first of its own identifiers, unless it has another entry.
 */
const relistedRows = ({ ecpdId, accountName }: Tenant, takenOut: readonly string[]): Query => sql`
  select own.identifier, orphaned.device_id
  from (select distinct x.device_id from excluded_device x
        where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id <> all(${takenOut}::uuid[])
          and x.identifier in (select identifier from named where not by_name)) orphaned
  cross join lateral (
    select di.value as identifier from device_identifier di
    left join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = di.value
    where di.ecpd_id = ${ecpdId} and di.device_id = orphaned.device_id and di.kind = any(${KINDS})
      and di.value not in (select identifier from leaving)
    order by e.identifier is null, di.value limit 1) own
  where not exists (select 1 from excluded_device x
    where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id = orphaned.device_id
      and x.identifier not in (select identifier from leaving))`;

/**
 * The devices that an entry was made for. `offset 0` makes the server use the entry's key: for a list that has just
 * grown, it would otherwise read the whole list for each entry.
 */
export const excludedUnder = ({ ecpdId, accountName }: Tenant, identifier: Query): Query => sql`
  select x.device_id from excluded_device x
  where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.identifier = ${identifier} offset 0`;

/**
 * Changes list, flag and ledger in one statement. A removed device also loses entries made for it under identifiers
 * that it no longer has, unless these exclude another device too. Then the ledger says that they stay, without a device
 * where one only has the identifier now: it is excluded only as long as it has the identifier. Only a changed list gets
 * a new date.
 */
export const changeExclusions = (db: Db, tenant: Tenant, change: ExclusionChange) => {
  const { ecpdId, accountName } = tenant;
  const { at, actor, add, remove } = change;
  const allDevice = change.allDevice ?? null;
  const takenOut = keysOf(remove);
  return db.exec(sql`
    with wanted as materialized (${wantedRows(add)}),
    switched as materialized (
      select case when ${allDevice}::boolean then 'exclude-all' else 'allow-all' end as change from exclusion_list
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and all_device <> ${allDevice}::boolean),
    named as materialized (${namedRows(tenant, remove)}),
    freed as materialized (
      select x.identifier, x.device_id from excluded_device x
      where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id = any(${takenOut}::uuid[])
        and x.identifier not in (select identifier from named)),
    staying as materialized (
      select x.identifier, x.device_id from excluded_device x
      where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.identifier in (select identifier from freed)
        and x.device_id <> all(${takenOut}::uuid[])
      union
      select di.value, null from device_identifier di
      where di.kind = any(${KINDS}) and di.value in (select identifier from freed)
        and di.ecpd_id = ${ecpdId} and di.account_name = ${accountName}),
    leaving as materialized (
      select identifier from named
      union
      select identifier from freed where identifier not in (select identifier from staying)),
    added as materialized (${typeof remove === 'string' ? addedRows(tenant, remove) : relistedRows(tenant, takenOut)}),
    -- Read before the deletion: on a cluster, a part of a statement sees the changes of earlier parts.
    allowed as materialized (
      select g.identifier, x.device_id from leaving g
      left join lateral (${excludedUnder(tenant, sql`g.identifier`)}) x on true),
    gone as (
      delete from exclusion e
      where e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier in (select identifier from leaving)),
    detached as (
      delete from excluded_device x
      where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName}
        and (x.identifier, x.device_id) in (select identifier, device_id from freed)
        and x.identifier in (select identifier from staying)
      returning x.identifier, x.device_id),
    listed as (
      insert into exclusion (ecpd_id, account_name, identifier)
      select distinct p.ecpd_id, ${accountName}, identifier from added join profile p on p.ecpd_id = ${ecpdId}
      on conflict do nothing),
    excluded as (
      insert into excluded_device (ecpd_id, account_name, identifier, device_id)
      select p.ecpd_id, ${accountName}, identifier, device_id from added join profile p on p.ecpd_id = ${ecpdId}
      on conflict do nothing
      returning identifier, device_id),
    ${enterChanges(
      ecpdId,
      actor,
      sql`
      select ${accountName}::text as account_name, ${at}::timestamptz as at, change, identifier, device_id, null::int as level
      from (select change, null::text as identifier, null::uuid as device_id from switched
            union all
            select 'allow', identifier, device_id from allowed
            union all select 'allow', identifier, device_id from detached
            union all select 'exclude', identifier, device_id from staying
            union all select 'exclude', identifier, device_id from excluded) changes
      order by change, identifier, device_id`,
    )}
    update exclusion_list l set all_device = coalesce(${allDevice}::boolean, l.all_device), updated_at = ${at}
    where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName} and exists (select 1 from entered)`);
};
