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

/** What leaves the list: what is not among the added, or nothing; or what names these devices, and then nothing is added. */
export type ExclusionChange = {
  readonly at: Date;
  readonly actor: string;
  /** Undefined leaves it as it is. */
  readonly allDevice: boolean | undefined;
} & (
  | { readonly add: readonly NamedDevice[]; readonly remove: 'others' | 'nothing' }
  | { readonly add: readonly []; readonly remove: readonly Removed[] }
);

/** What `wanted` stands for in the statements about a change. */
export const wanting = (add: readonly NamedDevice[]): Query => sql`
  select * from unnest(${add.map((one) => one.identifier)}::text[], ${add.map((one) => one.deviceId)}::uuid[])
    as w (identifier, device_id)`;

/**
 * What comes into the list. A device that an entry was made for already gets no second one, and one that is listed only
 * because it has an identifier of the list now becomes a device of that entry; but a list that is replaced names each
 * device as it was sent.
 */
const adding = ({ ecpdId, accountName }: Tenant, remove: ExclusionChange['remove']): Query =>
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

/** Which entries leave the list, and whether by their own name or only because a device has it that is taken out. */
export function naming({ ecpdId, accountName }: Tenant, remove: ExclusionChange['remove']): Query {
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
 * Whom an entry was made for that leaves only because somebody else has its identifier now: nobody took these out, so
 * each is listed under the first of its own identifiers, if no other entry was made for it.
 */
const moving = ({ ecpdId, accountName }: Tenant, takenOut: readonly string[]): Query => sql`
  select own.identifier, bereft.device_id
  from (select distinct x.device_id from excluded_device x
        where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id <> all(${takenOut}::uuid[])
          and x.identifier in (select identifier from named where not by_name)) bereft
  cross join lateral (
    select di.value as identifier from device_identifier di
    left join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = di.value
    where di.ecpd_id = ${ecpdId} and di.device_id = bereft.device_id and di.kind = any(${KINDS})
      and di.value not in (select identifier from leaving)
    order by e.identifier is null, di.value limit 1) own
  where not exists (select 1 from excluded_device x
    where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.device_id = bereft.device_id
      and x.identifier not in (select identifier from leaving))`;

/**
 * Whom an entry was made for, by the entry's key: a list that has just grown is not yet known to be long, and would be read
 * once for each of its entries.
 */
export const excludedUnder = ({ ecpdId, accountName }: Tenant, identifier: Query): Query => sql`
  select x.device_id from excluded_device x
  where x.ecpd_id = ${ecpdId} and x.account_name = ${accountName} and x.identifier = ${identifier} offset 0`;

/**
 * One statement for list, flag and ledger. A device that is taken out takes the entries with it that were made for it
 * under identifiers which it no longer has, unless these exclude somebody else too: then the ledger says that they stay,
 * without a device for who only has the identifier now, and is excluded no longer than that. Only a list that changed is dated anew.
 */
export const changeExclusions = (db: Db, tenant: Tenant, change: ExclusionChange) => {
  const { ecpdId, accountName } = tenant;
  const { at, actor, add, remove } = change;
  const allDevice = change.allDevice ?? null;
  const takenOut = keysOf(remove);
  return db.exec(sql`
    with wanted as materialized (${wanting(add)}),
    switched as materialized (
      select case when ${allDevice}::boolean then 'exclude-all' else 'allow-all' end as change from exclusion_list
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and all_device <> ${allDevice}::boolean),
    named as materialized (${naming(tenant, remove)}),
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
    added as materialized (${typeof remove === 'string' ? adding(tenant, remove) : moving(tenant, takenOut)}),
    -- Read before they go: on a cluster a part sees what those before it have changed.
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
