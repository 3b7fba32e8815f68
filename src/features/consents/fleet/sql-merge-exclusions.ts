import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { withdrawFromEarlier } from '../carry-consents.ts';
import { OPERATOR } from '../consent.ts';
import { KINDS } from '../sql-device.ts';

/** Locks accounts before lists, levels and devices, in the same order as the deletion of an account. */
export const holdAccounts = (db: Db, ecpdId: string, section: 'exclusions' | 'consents') =>
  db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name in (
      select s.body->>'accountName' from staged_entry s where s.section = ${section} and s.ecpd_id = ${ecpdId})
    order by account_name for key share`);

/** After the section is written: what may not be located any more is withheld from earlier owners too. */
export async function withdrawStaged(
  db: Db,
  ecpdId: string,
  section: 'exclusions' | 'consents',
): Promise<void> {
  const accountNames = await db.values<AccountName>(sql`
    select distinct s.body->>'accountName' as "accountName" from staged_entry s
    where s.section = ${section} and s.ecpd_id = ${ecpdId}`);
  await withdrawFromEarlier(db, ecpdId as EcpdId, accountNames);
}

export const insertMissingLists = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    insert into exclusion_list (ecpd_id, account_name, all_device, updated_at)
    select s.ecpd_id, s.body->>'accountName', false, ${now}
    from staged_entry s where s.section = 'exclusions' and s.ecpd_id = ${ecpdId}
    on conflict do nothing`);

/** No other transaction changes the lists until the import ends, so the ledger has all changes in the right order. */
export const lockLists = (db: Db, ecpdId: string) =>
  db.exec(sql`
    select 1 from exclusion_list where ecpd_id = ${ecpdId} and account_name in (
      select s.body->>'accountName' from staged_entry s where s.section = 'exclusions' and s.ecpd_id = ${ecpdId})
    order by account_name for update`);

/** Stages one row for each excluded identifier: long lists are expanded once, and the planner knows their number. */
export async function stageExclusions(db: Db): Promise<void> {
  await db.exec(sql`
    create temporary table staged_exclusion on commit drop as
    with wanted as materialized (
      select s.ecpd_id, s.body->>'accountName' as account_name, s.body->'imeis' as imeis
      from staged_entry s where s.section = 'exclusions')
    select w.ecpd_id, w.account_name, i.identifier, known.device_id
    from wanted w cross join jsonb_array_elements_text(w.imeis) as i (identifier)
    left join lateral (
      select di.device_id from device_identifier di
      where di.kind = any(${KINDS}) and di.value = i.identifier
        and di.ecpd_id = w.ecpd_id and di.account_name = w.account_name
      order by array_position(${KINDS}, di.kind) limit 1) known on true`);
  await db.exec(sql`create index on staged_exclusion (account_name, identifier)`);
  await db.exec(sql`analyze staged_exclusion`);
}

/** The lists of a profile in the document: `given` has a row for each list, `staged` one for each identifier. */
const stagedLists = (ecpdId: string): Query => sql`
  given as materialized (
    select s.body->>'accountName' as account_name, (s.body->>'allDevice')::boolean as all_device,
      s.body ? 'imeis' as replaced
    from staged_entry s where s.section = 'exclusions' and s.ecpd_id = ${ecpdId}),
  staged as materialized (
    select account_name, identifier, device_id from staged_exclusion where ecpd_id = ${ecpdId})`;

/**
 * Keeps devices from being deleted until the import ends, including those of removed entries. If a device was deleted
 * after its lookup, only its identifier is listed.
 */
export async function holdStagedDevices(db: Db, ecpdId: string): Promise<void> {
  await db.exec(sql`
    with ${stagedLists(ecpdId)}
    select 1 from device where ecpd_id = ${ecpdId} and device_id in (
      select device_id from staged
      union all
      select x.device_id from given g
      join excluded_device x on x.ecpd_id = ${ecpdId} and x.account_name = g.account_name
      where g.replaced and not exists (
        select 1 from staged i where i.account_name = x.account_name and i.identifier = x.identifier))
    order by device_id for key share`);
  await db.exec(sql`
    with kept as materialized (
      select d.device_id from device d where d.ecpd_id = ${ecpdId} and d.device_id in (
        select s.device_id from staged_exclusion s where s.ecpd_id = ${ecpdId}))
    update staged_exclusion s set device_id = null
    where s.ecpd_id = ${ecpdId} and s.device_id is not null and s.device_id not in (select device_id from kept)`);
}

/** Replaces lists by those of the document. The ledger gets a row for each difference, and only changed lists get a new date. */
export const replaceExclusions = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with ${stagedLists(ecpdId)},
    wanted as materialized (
      select l.account_name, l.all_device as was, g.all_device, g.replaced, greatest(${now}, l.updated_at) as at
      from given g join exclusion_list l on l.ecpd_id = ${ecpdId} and l.account_name = g.account_name),
    switched as (
      select account_name, case when all_device then 'exclude-all' else 'allow-all' end as change
      from wanted where was <> all_device),
    -- Read before the deletion: on a cluster, a part of a statement sees the changes of earlier parts.
    allowed as materialized (
      select e.account_name, e.identifier, x.device_id
      from wanted w join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = w.account_name
      left join excluded_device x
        on x.ecpd_id = ${ecpdId} and x.account_name = e.account_name and x.identifier = e.identifier
      where w.replaced and not exists (
        select 1 from staged i where i.account_name = e.account_name and i.identifier = e.identifier)),
    gone as (
      delete from exclusion e where e.ecpd_id = ${ecpdId}
        and (e.account_name, e.identifier) in (select account_name, identifier from allowed)),
    listed as (
      insert into exclusion (ecpd_id, account_name, identifier)
      select ${ecpdId}, account_name, identifier from staged
      on conflict do nothing
      returning account_name, identifier),
    excluded as (
      insert into excluded_device (ecpd_id, account_name, identifier, device_id)
      select ${ecpdId}, account_name, identifier, device_id from staged where device_id is not null
      on conflict do nothing
      returning account_name, identifier, device_id),
    entered as (
      insert into consent_ledger (ecpd_id, account_name, at, actor, change, identifier, device_id)
      select ${ecpdId}, account_name, w.at, ${OPERATOR}, change, identifier, device_id
      from (select account_name, change, null::text as identifier, null::uuid as device_id from switched
            union all
            select account_name, 'allow', identifier, device_id from allowed
            union all
            select l.account_name, 'exclude', l.identifier, null from listed l
            join staged i on i.account_name = l.account_name and i.identifier = l.identifier
            where i.device_id is null
            union all select account_name, 'exclude', identifier, device_id from excluded) changes
      join wanted w using (account_name)
      order by account_name, change, identifier, device_id
      returning account_name)
    update exclusion_list l set all_device = coalesce(w.all_device, l.all_device), updated_at = w.at
    from wanted w
    where l.ecpd_id = ${ecpdId} and l.account_name = w.account_name
      and l.account_name in (select account_name from entered)`);
