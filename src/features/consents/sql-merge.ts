import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { OPERATOR } from './consent.ts';

const PROBLEMS_MAX = 100;

export const insertMissingLists = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    insert into exclusion_list (ecpd_id, account_name, all_device, updated_at)
    select s.ecpd_id, s.body->>'accountName', false, ${now}
    from staged_entry s where s.section = 'exclusions' and s.ecpd_id = ${ecpdId}
    on conflict do nothing`);

/** One row for each excluded identifier: the long lists are taken apart once, and the server knows how many there are. */
export async function stageExclusions(db: Db): Promise<void> {
  await db.exec(sql`
    create temporary table staged_exclusion on commit drop as
    with wanted as materialized (
      select s.ecpd_id, s.body->>'accountName' as account_name, s.body->'imeis' as imeis
      from staged_entry s where s.section = 'exclusions')
    select w.ecpd_id, w.account_name, i.identifier from wanted w, jsonb_array_elements_text(w.imeis) as i (identifier)`);
  await db.exec(sql`create index on staged_exclusion (account_name, identifier)`);
  await db.exec(sql`analyze staged_exclusion`);
}

/**
 * Lists become what the document says; the ledger gets a row for each difference, and only lists that differed are
 * dated anew.
 */
export const replaceExclusions = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with wanted as materialized (
      select s.body->>'accountName' as account_name, (s.body->>'allDevice')::boolean as all_device,
        s.body ? 'imeis' as replaced
      from staged_entry s where s.section = 'exclusions' and s.ecpd_id = ${ecpdId}),
    switched as (
      select l.account_name, case when w.all_device then 'exclude-all' else 'allow-all' end as change
      from exclusion_list l join wanted w using (account_name)
      where l.ecpd_id = ${ecpdId} and l.all_device <> w.all_device),
    allowed as (
      delete from exclusion e using wanted w
      where e.ecpd_id = ${ecpdId} and e.account_name = w.account_name and w.replaced and not exists (
        select from staged_exclusion i where i.account_name = e.account_name and i.identifier = e.identifier)
      returning e.account_name, e.identifier),
    excluded as (
      insert into exclusion (ecpd_id, account_name, identifier)
      select ecpd_id, account_name, identifier from staged_exclusion where ecpd_id = ${ecpdId}
      on conflict do nothing
      returning account_name, identifier),
    entered as (
      insert into consent_ledger (ecpd_id, account_name, at, actor, change, identifier)
      select ${ecpdId}, account_name, ${now}, ${OPERATOR}, change, identifier
      from (select account_name, change, null::text as identifier from switched
            union all select account_name, 'allow', identifier from allowed
            union all select account_name, 'exclude', identifier from excluded) changes
      order by account_name, change, identifier
      returning account_name)
    update exclusion_list l set all_device = coalesce(w.all_device, l.all_device), updated_at = ${now}
    from wanted w
    where l.ecpd_id = ${ecpdId} and l.account_name = w.account_name
      and l.account_name in (select account_name from entered)`);

export const upsertLevels = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with written as (
      insert into consent as c (ecpd_id, account_name, level, updated_at)
      select s.ecpd_id, s.body->>'accountName', (s.body->>'level')::int, ${now}
      from staged_entry s where s.section = 'consents' and s.ecpd_id = ${ecpdId} and s.body ? 'level'
      on conflict (ecpd_id, account_name) do update set level = excluded.level, updated_at = excluded.updated_at
      where c.level <> excluded.level
      returning c.account_name, c.level)
    insert into consent_ledger (ecpd_id, account_name, at, actor, change, level)
    select ${ecpdId}, account_name, ${now}, ${OPERATOR}, 'level', level from written order by account_name`);

/** One row for each device that is given a level of its own, with the account that has the device. */
export async function stageDeviceLevels(db: Db): Promise<void> {
  await db.exec(sql`
    create temporary table staged_device_level on commit drop as
    with wanted as materialized (
      select s.position, s.ecpd_id, s.body->>'accountName' as account_name, s.body->'devices' as devices
      from staged_entry s where s.section = 'consents' and s.body ? 'devices')
    select w.position, w.ecpd_id, w.account_name, d.nth - 1 as nth, d.entry->>'imei' as imei,
      (d.entry->>'level')::int as level, di.device_id, di.account_name as owner_account_name
    from wanted w
    cross join jsonb_array_elements(w.devices) with ordinality as d (entry, nth)
    left join device_identifier di on di.kind = 'imei' and di.value = d.entry->>'imei'`);
  await db.exec(sql`analyze staged_device_level`);
}

export const listDeviceConflicts = (db: Db) =>
  db.many<{ position: number; path: string; detail: string }>(sql`
    (select position, '/devices/' || nth || '/imei' as path, 'stands in the document twice' as detail from (
       select position, nth, row_number() over (partition by imei order by position, nth) as n
       from staged_device_level) numbered where n > 1)
    union all
    (select position, '/devices/' || nth || '/imei', 'names no device of this account' from staged_device_level
     where owner_account_name is distinct from account_name)
    order by 1, 2 limit ${PROBLEMS_MAX}`);

export const upsertDeviceLevels = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with written as (
      insert into device_consent as c (ecpd_id, account_name, device_id, level)
      select ecpd_id, account_name, device_id, level from staged_device_level where ecpd_id = ${ecpdId}
      on conflict (ecpd_id, account_name, device_id) do update set level = excluded.level
      where c.level <> excluded.level
      returning c.account_name, c.device_id, c.level)
    insert into consent_ledger (ecpd_id, account_name, at, actor, change, device_id, level)
    select ${ecpdId}, account_name, ${now}, ${OPERATOR}, 'device-level', device_id, level
    from written order by account_name, device_id`);
