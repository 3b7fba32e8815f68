import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { Found } from '../../../platform/fleet-document/section.ts';
import { PROBLEMS_MAX } from '../../../platform/fleet-document/verify-entries.ts';
import { OPERATOR } from '../consent.ts';
import { holdDevices } from '../sql-level.ts';

/** No other transaction changes the levels of these accounts until the import ends. */
export const lockLevels = (db: Db, ecpdId: string) =>
  db.exec(sql`
    select 1 from consent where ecpd_id = ${ecpdId} and account_name in (
      select s.body->>'accountName' from staged_entry s where s.section = 'consents' and s.ecpd_id = ${ecpdId})
    order by account_name for update`);

export const upsertLevels = (db: Db, ecpdId: string, now: Date) =>
  db.exec(sql`
    with written as (
      insert into consent as c (ecpd_id, account_name, level, updated_at)
      select s.ecpd_id, s.body->>'accountName', (s.body->>'level')::int, ${now}
      from staged_entry s where s.section = 'consents' and s.ecpd_id = ${ecpdId} and s.body ? 'level'
      on conflict (ecpd_id, account_name) do update set level = excluded.level,
        updated_at = greatest(excluded.updated_at, c.updated_at)
      where c.level <> excluded.level
      returning c.account_name, c.level, c.updated_at)
    insert into consent_ledger (ecpd_id, account_name, at, actor, change, level)
    select ${ecpdId}, account_name, updated_at, ${OPERATOR}, 'level', level from written order by account_name`);

/** Stages one row for each device with its own level, with the account that has the device. */
export async function stageDeviceLevels(db: Db): Promise<void> {
  await db.exec(sql`
    create temporary table staged_device_level on commit drop as
    with wanted as materialized (
      select s.position, s.ecpd_id, s.body->>'accountName' as account_name, s.body->'devices' as devices
      from staged_entry s where s.section = 'consents' and s.body ? 'devices'),
    named as materialized (
      select w.position, w.ecpd_id, w.account_name, d.nth - 1 as nth, d.entry,
        case when d.entry ? 'imei' then 'imei' when d.entry ? 'meid' then 'meid' else 'esn' end as kind
      from wanted w cross join jsonb_array_elements(w.devices) with ordinality as d (entry, nth))
    select n.position, n.ecpd_id, n.account_name, n.nth, n.kind, n.entry->>n.kind as value,
      (n.entry->>'level')::int as level, di.device_id, di.account_name as owner_account_name
    from named n left join device_identifier di on di.kind = n.kind and di.value = n.entry->>n.kind`);
  await db.exec(sql`analyze staged_device_level`);
}

export const listDeviceConflicts = (db: Db) =>
  db.many<Found>(sql`
    (select position, '/devices/' || nth || '/' || kind as path, 'stands in the document twice' as detail from (
       select position, nth, kind,
         row_number() over (partition by coalesce(device_id::text, kind || value) order by position, nth) as n
       from staged_device_level) numbered where n > 1)
    union all
    (select position, '/devices/' || nth || '/' || kind, 'names no device of this account' from staged_device_level
     where owner_account_name is distinct from account_name)
    order by 1, 2 limit ${PROBLEMS_MAX}`);

export async function upsertDeviceLevels(db: Db, ecpdId: string, now: Date): Promise<number> {
  const staged = await db.values<string>(sql`
    select distinct device_id as "deviceId" from staged_device_level where ecpd_id = ${ecpdId}`);
  const present = [...(await holdDevices(db, ecpdId, staged))];
  return db.exec(sql`
    with written as (
      insert into device_consent as c (ecpd_id, account_name, device_id, level)
      select ecpd_id, account_name, device_id, level from staged_device_level
      where ecpd_id = ${ecpdId} and device_id = any(${plainArray(present)}::uuid[])
      on conflict (ecpd_id, account_name, device_id) do update set level = excluded.level
      where c.level <> excluded.level
      returning c.account_name, c.device_id, c.level),
    -- A separate part: if the insert selected from tables, each server of a cluster could number the rows.
    dated as materialized (
      select w.account_name, greatest(${now}::timestamptz, c.updated_at) as at, w.device_id, w.level
      from written w left join consent c on c.ecpd_id = ${ecpdId} and c.account_name = w.account_name),
    entered as (
      insert into consent_ledger (ecpd_id, account_name, at, actor, change, device_id, level)
      select ${ecpdId}, account_name, at, ${OPERATOR}, 'device-level', device_id, level
      from dated order by account_name, device_id
      returning account_name, at)
    update consent c set updated_at = e.at from (select distinct account_name, at from entered) e
    where c.ecpd_id = ${ecpdId} and c.account_name = e.account_name`);
}
