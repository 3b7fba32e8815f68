import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { OPERATOR } from '../consent.ts';
import { KINDS } from '../sql-device.ts';

/** Before lists, levels and devices are locked, as whoever deletes an account does. */
export const holdAccounts = (db: Db, ecpdId: string, section: 'exclusions' | 'consents') =>
  db.exec(sql`
    select from account where ecpd_id = ${ecpdId} and account_name in (
      select s.body->>'accountName' from staged_entry s where s.section = ${section} and s.ecpd_id = ${ecpdId})
    order by account_name for key share`);

export const insertMissingLists = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    insert into exclusion_list (ecpd_id, account_name, all_device, updated_at)
    select s.ecpd_id, s.body->>'accountName', false, ${now}
    from staged_entry s where s.section = 'exclusions' and s.ecpd_id = ${ecpdId}
    on conflict do nothing`);

/** Nobody else changes the lists until the import ends: the ledger has their changes in the order in which they count. */
export const lockLists = (db: Db, ecpdId: string) =>
  db.exec(sql`
    select from exclusion_list where ecpd_id = ${ecpdId} and account_name in (
      select s.body->>'accountName' from staged_entry s where s.section = 'exclusions' and s.ecpd_id = ${ecpdId})
    order by account_name for update`);

/** One row for each excluded identifier: the long lists are taken apart once, and the server knows how many there are. */
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

/**
 * Devices stay until the import ends, those of entries that leave too; of one that was deleted since it was looked up, the
 * identifier is listed alone.
 */
export async function holdStagedDevices(db: Db, ecpdId: string): Promise<void> {
  const named = sql`
    select device_id from staged_exclusion where ecpd_id = ${ecpdId}
    union all
    select x.device_id from staged_entry s
    join excluded_device x on x.ecpd_id = ${ecpdId} and x.account_name = s.body->>'accountName'
    where s.section = 'exclusions' and s.ecpd_id = ${ecpdId} and s.body ? 'imeis' and not exists (
      select from staged_exclusion i where i.account_name = x.account_name and i.identifier = x.identifier)`;
  await db.exec(sql`
    select from device where ecpd_id = ${ecpdId} and device_id in (${named}) order by device_id for key share`);
  await db.exec(sql`
    update staged_exclusion s set device_id = null
    where s.ecpd_id = ${ecpdId} and s.device_id is not null
      and not exists (select from device d where d.ecpd_id = ${ecpdId} and d.device_id = s.device_id)`);
}

/**
 * Lists become what the document says; the ledger gets a row for each difference, and only lists that differed are
 * dated anew.
 */
export const replaceExclusions = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with wanted as materialized (
      select l.account_name, l.all_device as was, (s.body->>'allDevice')::boolean as all_device,
        s.body ? 'imeis' as replaced, greatest(${now}, l.updated_at) as at
      from staged_entry s
      join exclusion_list l on l.ecpd_id = s.ecpd_id and l.account_name = s.body->>'accountName'
      where s.section = 'exclusions' and s.ecpd_id = ${ecpdId}),
    switched as (
      select account_name, case when all_device then 'exclude-all' else 'allow-all' end as change
      from wanted where was <> all_device),
    allowed as (
      delete from exclusion e using wanted w
      where e.ecpd_id = ${ecpdId} and e.account_name = w.account_name and w.replaced and not exists (
        select from staged_exclusion i where i.account_name = e.account_name and i.identifier = e.identifier)
      returning e.account_name, e.identifier),
    listed as (
      insert into exclusion (ecpd_id, account_name, identifier)
      select ecpd_id, account_name, identifier from staged_exclusion where ecpd_id = ${ecpdId}
      on conflict do nothing
      returning account_name, identifier),
    excluded as (
      insert into excluded_device (ecpd_id, account_name, identifier, device_id)
      select ecpd_id, account_name, identifier, device_id from staged_exclusion
      where ecpd_id = ${ecpdId} and device_id is not null
      on conflict do nothing
      returning account_name, identifier, device_id),
    entered as (
      insert into consent_ledger (ecpd_id, account_name, at, actor, change, identifier, device_id)
      select ${ecpdId}, account_name, w.at, ${OPERATOR}, change, identifier, device_id
      from (select account_name, change, null::text as identifier, null::uuid as device_id from switched
            union all
            select a.account_name, 'allow', a.identifier, x.device_id from allowed a
            left join excluded_device x
              on x.ecpd_id = ${ecpdId} and x.account_name = a.account_name and x.identifier = a.identifier
            union all
            select l.account_name, 'exclude', l.identifier, null from listed l
            join staged_exclusion i on i.account_name = l.account_name and i.identifier = l.identifier
            where i.device_id is null
            union all select account_name, 'exclude', identifier, device_id from excluded) changes
      join wanted w using (account_name)
      order by account_name, change, identifier, device_id
      returning account_name)
    update exclusion_list l set all_device = coalesce(w.all_device, l.all_device), updated_at = w.at
    from wanted w
    where l.ecpd_id = ${ecpdId} and l.account_name = w.account_name
      and l.account_name in (select account_name from entered)`);
