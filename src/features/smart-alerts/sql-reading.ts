import { NIL_UUID } from '../../kernel/uuid.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql, unprepared } from '../../platform/db/sql.ts';
import type { Values } from '../device-management/index.ts';

export interface KnownDevice {
  readonly deviceId: string;
  /** Set if the device came to its account from another one. */
  readonly cameMs: number | null;
  /** Null if there is no reading yet. */
  readonly atMs: number | null;
  readonly known: Values;
  /** Digests of all readings at that time, separated by blanks: readings with one time may contradict each other. */
  readonly timeDigests: string;
}

/** Numbers and text, because every batch reads thousands of rows. */
const AS_KNOWN = sql`
  r.device_id as "deviceId", floor(extract(epoch from d.came_at) * 1000)::float8 as "cameMs",
  floor(extract(epoch from r.at) * 1000)::float8 as "atMs", r.known, array_to_string(r.told_at, ' ') as "timeDigests"`;

/** Adds a row for each existing device and locks the device against deletion; existing rows stay unchanged. */
const insertMissing = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.exec(sql`
    with present as materialized (
      select device_id from device where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
      order by device_id for key share),
    added as (
      insert into device_reading (ecpd_id, device_id, known)
      select p.ecpd_id, d.device_id, '{}' from present d join profile p on p.ecpd_id = ${ecpdId}
      where not exists (select 1 from device_reading r where r.ecpd_id = ${ecpdId} and r.device_id = d.device_id)
      order by d.device_id on conflict (ecpd_id, device_id) do nothing)
    select 1`);

/** Most devices have sent readings before, and this query costs a fifth of the attempt to insert. */
const countPresent = (db: Db, ecpdId: string, deviceIds: readonly string[]): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as count from device_reading
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])`);

/*
 * Statements with thousands of devices are planned for that many and pass the list to each table. Planned for a few, they
 * look up one device after the other, which took most of their time.
 */

/**
 * Locks those devices that still exist, against deletion and against other work on their rules; each may be listed
 * once. Rows are locked in key order, the device first, so that two feeds wait for each other but never deadlock.
 */
export async function holdDevices(
  db: Db,
  ecpdId: string,
  deviceIds: readonly string[],
): Promise<KnownDevice[]> {
  if ((await countPresent(db, ecpdId, deviceIds)) < deviceIds.length)
    await insertMissing(db, ecpdId, deviceIds);
  const ids = plainArray(deviceIds);
  return db.many<KnownDevice>(
    unprepared(sql`
    select ${AS_KNOWN}
    from device_reading r join device d on d.ecpd_id = ${ecpdId} and d.device_id = r.device_id
    where r.ecpd_id = ${ecpdId} and r.device_id = any(${ids}::uuid[]) and d.device_id = any(${ids}::uuid[])
    order by r.device_id for key share of d for update of r`),
  );
}

/** Those devices that no other transaction has locked or is deleting. */
export const holdFreeDevices = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<KnownDevice>(sql`
    with present as materialized (
      select device_id, came_at from device where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
      order by device_id for key share skip locked)
    select ${AS_KNOWN}
    from device_reading r join present d using (device_id)
    where r.ecpd_id = ${ecpdId} order by r.device_id for update of r skip locked`);

/** Locks existing accounts until the transaction ends: before their devices, as an account deletion does. */
export async function holdAccounts(db: Db, ecpdId: string, accountNames: readonly string[]): Promise<void> {
  // Feeds of one device queue at its row: waiting slows their senders down, but giving up would abort the feeds.
  await db.exec(sql`set local lock_timeout = '50s'`);
  await db.exec(sql`
    select 1 from account where ecpd_id = ${ecpdId} and account_name = any(${[...new Set(accountNames)]}::text[])
    order by account_name for key share`);
}

/** Readings sent for the earlier account are not passed to the next one. */
export const deleteReadings = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.exec(sql`
    delete from device_reading where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])`);

export interface LatestReading {
  readonly deviceId: string;
  readonly atMs: number;
  readonly known: Values;
  /** Digests separated by blanks. */
  readonly timeDigests: string;
}

export async function updateReadings(
  db: Db,
  ecpdId: string,
  latest: readonly LatestReading[],
): Promise<void> {
  if (latest.length === 0) return;
  const ids = plainArray(latest.map((l) => l.deviceId));
  await db.exec(
    unprepared(sql`
    update device_reading r set at = n.at, known = n.known, told_at = string_to_array(n.told_at, ' ')
    from unnest(${ids}::uuid[],
      ${plainArray(latest.map((l) => new Date(l.atMs)))}::timestamptz[],
      ${arrayText(latest.map((l) => JSON.stringify(l.known)))}::jsonb[], ${arrayText(latest.map((l) => l.timeDigests))}::text[])
      as n (device_id, at, known, told_at)
    where r.ecpd_id = ${ecpdId} and r.device_id = n.device_id and r.device_id = any(${ids}::uuid[])`),
  );
}

/** The time of these devices' last readings, and the newest value of each field; omits devices without readings. */
export const latestReadingsOf = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<{ readonly deviceId: string; readonly at: Date; readonly values: Values }>(sql`
    select device_id as "deviceId", at, known as values from device_reading
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and at is not null`);

interface ReadingKey {
  readonly ecpdId: string;
  readonly deviceId: string;
}

/** Rows of all profiles in key order, with a flag for those older than `before`; takes no locks. */
export const listKeptReadings = (
  db: Db,
  before: Date,
  { after, limit }: { readonly after: ReadingKey | undefined; readonly limit: number },
) =>
  db.many<ReadingKey & { readonly isOld: boolean }>(sql`
    select ecpd_id as "ecpdId", device_id as "deviceId", coalesce(at < ${before} and known <> '{}', false) as "isOld"
    from device_reading where (ecpd_id, device_id) > (${after?.ecpdId ?? ''}, ${after?.deviceId ?? NIL_UUID}::uuid)
    order by ecpd_id, device_id limit ${limit}`);

/** Skips locked devices, which are receiving readings. Digests stay, so a repeated reading is still recognised. */
export const eraseValues = (db: Db, ecpdId: string, deviceIds: readonly string[], before: Date) =>
  db.exec(sql`
    with old as materialized (
      select device_id from device_reading
      where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and at < ${before}
      order by device_id for update skip locked)
    update device_reading r set known = '{}' from old where r.ecpd_id = ${ecpdId} and r.device_id = old.device_id`);
