import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import type { ConsentLevel } from './consent.ts';
import { type DeviceRow, NUMBER } from './sql-device.ts';

/** Holds the account's level: changes of it and of single devices come one after the other. */
export const lockLevel = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.maybe<{ level: ConsentLevel; updatedAt: Date }>(sql`
    select level, updated_at as "updatedAt" from consent
    where ecpd_id = ${ecpdId} and account_name = ${accountName} for update`);

interface Change {
  readonly at: Date;
  readonly actor: string;
}

/** The level of all devices: those that had one of their own lose it. What changes nothing leaves no trace. */
export const setLevelForAll = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  level: ConsentLevel,
  { at, actor }: Change,
) =>
  db.exec(sql`
    with cleared as (
      delete from device_consent where ecpd_id = ${ecpdId} and account_name = ${accountName} returning 1),
    written as (
      insert into consent as c (ecpd_id, account_name, level, updated_at)
      values (${ecpdId}, ${accountName}, ${level}::int, ${at})
      on conflict (ecpd_id, account_name) do update set level = excluded.level, updated_at = excluded.updated_at
      where c.level <> excluded.level or exists (select from cleared)
      returning c.level)
    insert into consent_ledger (ecpd_id, account_name, at, actor, change, level)
    select ${ecpdId}, ${accountName}, ${at}, ${actor}, 'level-all', level from written`);

export const setDeviceLevels = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  devices: readonly { readonly deviceId: string; readonly level: ConsentLevel }[],
  { at, actor }: Change,
) =>
  db.exec(sql`
    with written as (
      insert into device_consent as c (ecpd_id, account_name, device_id, level)
      select ${ecpdId}, ${accountName}, w.device_id, w.level
      from unnest(${devices.map(({ deviceId }) => deviceId)}::uuid[], ${devices.map(({ level }) => level)}::int[])
        as w (device_id, level)
      on conflict (ecpd_id, account_name, device_id) do update set level = excluded.level
      where c.level <> excluded.level
      returning c.device_id, c.level),
    entered as (
      insert into consent_ledger (ecpd_id, account_name, at, actor, change, device_id, level)
      select ${ecpdId}, ${accountName}, ${at}, ${actor}, 'device-level', device_id, level from written
      order by device_id
      returning entry_id)
    update consent set updated_at = ${at}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and exists (select from entered)`);

export const findLevel = async (db: Db, { ecpdId, accountName }: Tenant): Promise<ConsentLevel | undefined> =>
  (
    await db.maybe<{ level: ConsentLevel }>(
      sql`select level from consent where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
    )
  )?.level;

export type DeviceLevel = DeviceRow & { readonly level: ConsentLevel | null };

/** One device with the level that holds for it: its own, or else the account's. */
export const findDeviceLevel = (db: Db, { ecpdId, accountName }: Tenant, deviceId: string) =>
  db.maybe<DeviceLevel>(sql`
    select d.device_id as "deviceId", d.imei, d.meid, d.esn, ${NUMBER} as mdn, coalesce(own.level, c.level) as level
    from device d
    left join device_consent own on own.ecpd_id = d.ecpd_id and own.account_name = d.account_name
      and own.device_id = d.device_id
    left join consent c on c.ecpd_id = d.ecpd_id and c.account_name = d.account_name
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = ${deviceId}`);

/** The devices with a level of their own, in the order of their keys. */
export const listDeviceLevels = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { after: string | undefined; limit: number },
) =>
  db.many<DeviceLevel>(
    unprepared(sql`
    select d.device_id as "deviceId", d.imei, d.meid, d.esn, ${NUMBER} as mdn, own.level
    from device_consent own join device d on d.ecpd_id = own.ecpd_id and d.account_name = own.account_name
      and d.device_id = own.device_id
    where own.ecpd_id = ${ecpdId} and own.account_name = ${accountName}
      and own.device_id > ${after ?? NIL_UUID}::uuid
    order by own.device_id limit ${limit}`),
  );
