import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { DeviceKey } from '../devices/index.ts';
import { type Accuracy, LEVELS_ALLOWING } from './consent.ts';
import { excludedAmong } from './sql-withheld.ts';

/** A line that leaves its account, and its device where it goes: the same one, or a new one at another customer. */
export interface Leaving {
  readonly deviceId: string;
  readonly nowDeviceId: string;
}

const unnested = (lines: readonly Leaving[]) => sql`
  unnest(${plainArray(lines.map(({ deviceId }) => deviceId))}::uuid[],
    ${plainArray(lines.map(({ nowDeviceId }) => nowDeviceId))}::uuid[]) as given (device_id, now_device_id)`;

/** Keeps for the account what each line's own level and exclusion let it show. Call it before they leave. */
export const keepLines = (
  db: Db,
  from: Tenant,
  to: Tenant,
  { lines, at }: { readonly lines: readonly Leaving[]; readonly at: Date },
) =>
  db.exec(sql`
    with listed as materialized (${excludedAmong(from, unnested(lines))}),
    kept as (insert into past_line (ecpd_id, account_name, device_id, coarse, precise, left_at, now_ecpd_id, now_account_name,
      now_device_id)
    select p.ecpd_id, ${from.accountName}, given.device_id,
      x.device_id is null and coalesce(own.level = any(${LEVELS_ALLOWING.coarse}::int[]), true),
      x.device_id is null and coalesce(own.level = any(${LEVELS_ALLOWING.precise}::int[]), true),
      ${at}, ${to.ecpdId}, ${to.accountName}, given.now_device_id
    from profile p cross join ${unnested(lines)}
    left join listed x on x.device_id = given.device_id
    left join device_consent own on own.ecpd_id = ${from.ecpdId} and own.account_name = ${from.accountName}
      and own.device_id = given.device_id
    where p.ecpd_id = ${from.ecpdId}
    on conflict (ecpd_id, account_name, device_id) do update set coarse = excluded.coarse, precise = excluded.precise,
      left_at = excluded.left_at, now_ecpd_id = excluded.now_ecpd_id, now_account_name = excluded.now_account_name,
      now_device_id = excluded.now_device_id)
    select 1`);

const atDevices = (ecpdId: string, deviceIds: readonly string[]) => sql`
  now_ecpd_id = ${ecpdId} and now_device_id = any(${plainArray(deviceIds)}::uuid[])`;

/** The profiles with earlier owners of these devices. A read across profiles that takes no locks. */
const listProfilesBefore = (db: Db, ecpdId: string, deviceIds: readonly string[]): Promise<string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from past_line where ${atDevices(ecpdId, deviceIds)} order by 1`);

/** Tells the earlier owners' rows where the lines are now. */
export async function redirectLines(
  db: Db,
  from: Tenant,
  to: Tenant,
  lines: readonly Leaving[],
): Promise<void> {
  const ids = lines.map(({ deviceId }) => deviceId);
  for (const ecpdId of await listProfilesBefore(db, from.ecpdId, ids))
    await db.exec(sql`
      update past_line l set now_ecpd_id = ${to.ecpdId}, now_account_name = ${to.accountName},
        now_device_id = given.now_device_id
      from ${unnested(lines)}
      where l.ecpd_id = ${ecpdId} and l.now_ecpd_id = ${from.ecpdId} and l.now_device_id = given.device_id`);
}

/**
 * The list entries that excluded these devices when they left the account last, as other devices. Their rows in
 * `excluded_device` were deleted with those: only the ledger still tells. Removed entries exclude nothing.
 */
export const listReturned = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.many<{ accountName: string; identifier: string; deviceId: string }>(sql`
    with was as materialized (
      select distinct on (now_device_id) device_id, now_device_id from past_line
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${atDevices(ecpdId, deviceIds)}
      order by now_device_id, left_at desc)
    select e.account_name as "accountName", e.identifier, was.now_device_id as "deviceId"
    from was cross join lateral (
      select distinct on (identifier) identifier, change from consent_ledger
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = was.device_id and identifier is not null
      order by identifier, at desc, entry_id desc) said
    join exclusion e on e.ecpd_id = ${ecpdId} and e.account_name = ${accountName} and e.identifier = said.identifier
    where was.device_id <> was.now_device_id and said.change = 'exclude'`);

/** Devices of these accounts with earlier owners that may still show something, in key order. Takes no locks. */
export const listWithEarlier = (
  db: Db,
  ecpdId: string,
  accountNames: readonly string[],
  { deviceIds, after, limit }: { deviceIds: readonly string[] | undefined; after: string; limit: number },
) =>
  db.many<Pick<DeviceKey, 'accountName' | 'deviceId'>>(sql`
    select distinct now_account_name as "accountName", now_device_id as "deviceId" from past_line
    where now_ecpd_id = ${ecpdId} and now_account_name = any(${accountNames}::text[]) and (coarse or precise)
      and ${deviceIds === undefined ? sql`true` : sql`now_device_id = any(${plainArray(deviceIds)}::uuid[])`}
      and now_device_id > ${after}::uuid
    order by 2 limit ${limit}`);

/** The earlier owners of these devices may show no positions of this accuracy any more. */
export async function loseLines(
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  accuracy: Accuracy,
): Promise<void> {
  const kept = accuracy === 'coarse' ? sql`coarse` : sql`precise`;
  for (const profile of await listProfilesBefore(db, ecpdId, deviceIds))
    await db.exec(sql`
      update past_line set ${kept} = false
      where ecpd_id = ${profile} and ${atDevices(ecpdId, deviceIds)} and ${kept}
        and (ecpd_id, account_name) <> (${ecpdId}, ${accountName})`);
}

/** The devices that these were in the time of earlier owners. A read across profiles that takes no locks. */
export const listEarlierLines = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<DeviceKey>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", device_id as "deviceId" from past_line
    where ${atDevices(ecpdId, deviceIds)} order by ecpd_id, account_name, device_id`);

/** The account may show nothing of these lines any more. Returns the devices that they were in it before. */
export const forgetLines = (db: Db, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) =>
  db.values<string>(sql`
    delete from past_line
    where ecpd_id = ${ecpdId} and account_name = ${accountName}
      and (device_id = any(${plainArray(deviceIds)}::uuid[]) or (${atDevices(ecpdId, deviceIds)}))
    returning device_id as "deviceId"`);

/** The read across profiles takes no locks; each delete names one profile. */
export async function deleteOldLines(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; deviceIds: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(distinct device_id) as "deviceIds" from (
      select ecpd_id, device_id from past_line where left_at < ${before} order by left_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, deviceIds } of old)
    deleted += await db.exec(sql`
      delete from past_line
      where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and left_at < ${before}`);
  return deleted;
}
