import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import { type ConsentLevel, DEFAULT_LEVEL, notBefore, OPERATOR } from './consent.ts';
import { type DeviceRow, NAMED } from './sql-device.ts';
import { enterChanges } from './sql-ledger-entry.ts';

/**
 * Locks the account's level, if it has one: changes of it and of single devices run one after another. `at` is the time
 * of the change that follows.
 */
export async function lockLevel({ db, now }: Ctx, { ecpdId, accountName }: Tenant) {
  const held = await db.maybe<{ level: ConsentLevel; updatedAt: Date }>(sql`
    select level, updated_at as "updatedAt" from consent
    where ecpd_id = ${ecpdId} and account_name = ${accountName} for update`);
  return { level: held?.level, at: held === undefined ? now() : notBefore(now(), held.updatedAt) };
}

interface Change {
  readonly at: Date;
  readonly actor: string;
}

/** Sets the level of all devices, and deletes the levels of single ones. A change without effect leaves no ledger row. */
export async function setLevelForAll(
  db: Db,
  { ecpdId, accountName }: Tenant,
  level: ConsentLevel,
  { at, actor }: Change,
): Promise<number> {
  const cleared = await db.exec(
    sql`delete from device_consent where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
  );
  return db.exec(sql`
    with written as (
      insert into consent as c (ecpd_id, account_name, level, updated_at)
      values (${ecpdId}, ${accountName}, ${level}::int, ${at})
      on conflict (ecpd_id, account_name) do update set level = excluded.level, updated_at = excluded.updated_at
      where c.level <> excluded.level or ${cleared > 0}::boolean
      returning c.level),
    ${enterChanges(
      ecpdId,
      actor,
      sql`
      select ${accountName}::text as account_name, ${at}::timestamptz as at, 'level-all' as change, null::text as identifier,
        null::uuid as device_id, level
      from written`,
    )}
    select entry_id from entered`);
}

/** Those of the devices that still exist. They stay until the transaction ends: an account may be deleted meanwhile. */
export const holdDevices = async (
  db: Db,
  ecpdId: string,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    await db.values<string>(sql`
      select device_id as "deviceId" from device
      where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
      order by device_id for key share`),
  );

export async function setDeviceLevels(
  db: Db,
  { ecpdId, accountName }: Tenant,
  given: readonly { readonly deviceId: string; readonly level: ConsentLevel }[],
  { at, actor }: Change,
): Promise<number> {
  const present = await holdDevices(
    db,
    ecpdId,
    given.map(({ deviceId }) => deviceId),
  );
  const devices = given.filter(({ deviceId }) => present.has(deviceId));
  return db.exec(sql`
    with written as (
      insert into device_consent as c (ecpd_id, account_name, device_id, level)
      select p.ecpd_id, ${accountName}, w.device_id, w.level
      from profile p cross join unnest(${devices.map(({ deviceId }) => deviceId)}::uuid[],
        ${devices.map(({ level }) => level)}::int[]) as w (device_id, level)
      where p.ecpd_id = ${ecpdId}
      on conflict (ecpd_id, account_name, device_id) do update set level = excluded.level
      where c.level <> excluded.level
      returning c.device_id, c.level),
    ${enterChanges(
      ecpdId,
      actor,
      sql`
      select ${accountName}::text as account_name, ${at}::timestamptz as at, 'device-level' as change,
        null::text as identifier, device_id, level
      from written order by device_id`,
    )}
    update consent set updated_at = ${at}
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and exists (select 1 from entered)`);
}

export const findLevel = (db: Db, { ecpdId, accountName }: Tenant): Promise<ConsentLevel | undefined> =>
  db.maybeValue<ConsentLevel>(
    sql`select level from consent where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
  );

export type DeviceLevel = DeviceRow & { readonly level: ConsentLevel | null };

/** One device with the level that applies to it: its own, or else the account's. */
export const findDeviceLevel = (db: Db, { ecpdId, accountName }: Tenant, deviceId: string) =>
  db.maybe<DeviceLevel>(sql`
    select ${NAMED}, coalesce(own.level, c.level) as level
    from device d
    left join device_consent own on own.ecpd_id = d.ecpd_id and own.account_name = d.account_name
      and own.device_id = d.device_id
    left join consent c on c.ecpd_id = d.ecpd_id and c.account_name = d.account_name
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.device_id = ${deviceId}`);

/** The devices with their own level, in the order of their keys. */
export const listDeviceLevels = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { after, limit }: { after: string | undefined; limit: number },
) =>
  db.many<DeviceLevel>(
    unprepared(sql`
    select ${NAMED}, own.level
    from device_consent own join device d on d.ecpd_id = own.ecpd_id and d.account_name = own.account_name
      and d.device_id = own.device_id
    where own.ecpd_id = ${ecpdId} and own.account_name = ${accountName}
      and own.device_id > ${after ?? NIL_UUID}::uuid
    order by own.device_id limit ${limit}`),
  );

/** Stores the default level for every account of the profile that has none. It is safe to repeat. */
export async function putDefaultConsents({ db, now }: Ctx, ecpdId: string): Promise<void> {
  await db.exec(sql`
    with added as (
      insert into consent (ecpd_id, account_name, level, updated_at)
      select a.ecpd_id, a.account_name, ${DEFAULT_LEVEL}::int, ${now()}
      from account a
      where a.ecpd_id = ${ecpdId}
        and not exists (select 1 from consent c where c.ecpd_id = ${ecpdId} and c.account_name = a.account_name)
      on conflict do nothing
      returning account_name, level, updated_at),
    ${enterChanges(
      ecpdId,
      OPERATOR,
      sql`
      select account_name, updated_at as at, 'level' as change, null::text as identifier, null::uuid as device_id, level
      from added order by account_name`,
    )}
    select 1`);
}
