import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { Accuracy } from '../consents/index.ts';
import { cachedForms, type Fix, type TakenFix } from './location.ts';

/**
 * Stores fixes. The cache keeps the newest fix of each device and accuracy; of several with the same time, the last. The history keeps
 * every fix in its original accuracy, one for each time. Lock order: the devices (which cannot be deleted during the write), the
 * positions by key, and last the accounts' news rows, which all writers share. Fixes of deleted devices, whose answers may still
 * arrive, are skipped. So are fixes from before the device came to its account.
 */
export function keepFixes(
  db: Db,
  ecpdId: string,
  fixes: readonly TakenFix[],
  receivedAt: Date,
): Promise<number> {
  const forms = cachedForms(fixes);
  const column = <K extends keyof (typeof forms)[number]>(name: K) =>
    plainArray(forms.map((form) => form[name]));
  return db.exec(sql`
    with present as materialized (
      select device_id, account_name, came_at from device where ecpd_id = ${ecpdId}
        and device_id = any(${plainArray(fixes.map((fix) => fix.deviceId))}::uuid[])
      order by device_id for key share),
    given as materialized (
      select p.* from unnest(${column('deviceId')}::uuid[], ${forms.map(({ accuracy }) => accuracy)}::text[],
        ${column('latitude')}::float8[], ${column('longitude')}::float8[], ${column('radiusM')}::float8[],
        ${column('at')}::timestamptz[], ${column('asTaken')}::boolean[])
        with ordinality as p (device_id, accuracy, latitude, longitude, radius_m, at, as_taken, nth)
      join present on present.device_id = p.device_id and (present.came_at is null or p.at >= present.came_at)),
    written as (
    insert into device_position as known (ecpd_id, device_id, accuracy, latitude, longitude, radius_m, at, received_at)
    select distinct on (t.ecpd_id, g.device_id, g.accuracy) t.ecpd_id, g.device_id, g.accuracy, g.latitude, g.longitude,
      g.radius_m, g.at, ${receivedAt}::timestamptz
    from given g join profile t on t.ecpd_id = ${ecpdId}
    order by t.ecpd_id, g.device_id, g.accuracy, g.at desc, g.nth desc
    on conflict (ecpd_id, device_id, accuracy) do update set latitude = excluded.latitude, longitude = excluded.longitude,
      radius_m = excluded.radius_m, at = excluded.at, received_at = excluded.received_at
    where excluded.at >= known.at returning device_id),
    kept as (
    insert into position_history as known (ecpd_id, device_id, at, accuracy, latitude, longitude, radius_m)
    select distinct on (t.ecpd_id, g.device_id, g.at) t.ecpd_id, g.device_id, g.at, g.accuracy, g.latitude, g.longitude, g.radius_m
    from given g join profile t on t.ecpd_id = ${ecpdId} where g.as_taken
    order by t.ecpd_id, g.device_id, g.at, g.accuracy desc, g.nth desc
    on conflict (ecpd_id, device_id, at) do update set accuracy = excluded.accuracy, latitude = excluded.latitude,
      longitude = excluded.longitude, radius_m = excluded.radius_m
    where known.accuracy = 'coarse' and excluded.accuracy = 'precise'),
    noted as (
    insert into position_news as news (ecpd_id, account_name, times)
    select t.ecpd_id, present.account_name, 1 from present join written using (device_id) join profile t on t.ecpd_id = ${ecpdId}
    group by t.ecpd_id, present.account_name order by present.account_name
    on conflict (ecpd_id, account_name) do update set times = news.times + 1)
    select 1`);
}

/** A line may move to another account at any moment: positions are read together with the account that has it. */
export const isOfAccount = ({ ecpdId, accountName }: Tenant, deviceId: Query): Query => sql`
  exists (select 1 from device o
    where o.ecpd_id = ${ecpdId} and o.device_id = ${deviceId} and o.account_name = ${accountName})`;

/**
 * A subquery for the newest position that may answer a request; `deviceId` is a column of the outer statement. A coarse
 * request gets only coarse positions, a precise one the newest of any accuracy. The caller must check consent.
 */
export const cachedPosition = (
  tenant: Tenant,
  deviceId: Query,
  { accuracy, notBefore }: { accuracy: Accuracy; notBefore: Query },
): Query => sql`
  select latitude, longitude, radius_m, at from device_position
  where ecpd_id = ${tenant.ecpdId} and device_id = ${deviceId} and ${isOfAccount(tenant, deviceId)}
    and (accuracy = 'coarse' or ${accuracy === 'precise'}::boolean)
    and at >= ${notBefore}::timestamptz
  order by at desc, accuracy desc limit 1`;

/** The same for many devices at once: one index scan takes two thirds of the time of a query for each. */
export const listPositions = (
  db: Db,
  tenant: Tenant,
  deviceIds: readonly string[],
  { accuracy, notBefore }: { accuracy: Accuracy; notBefore: Date | undefined },
) =>
  db.many<Fix & { deviceId: string }>(sql`
    select distinct on (device_id) device_id as "deviceId", latitude, longitude, radius_m as "radiusM", at
    from device_position p
    where ecpd_id = ${tenant.ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])
      and ${isOfAccount(tenant, sql`p.device_id`)} and (accuracy = 'coarse' or ${accuracy === 'precise'}::boolean)
      and at >= ${notBefore ?? '-infinity'}::timestamptz
    order by device_id, at desc, accuracy desc`);

/** When the device was last located, by any caller. Does not return the position. */
export const findLastFix = async (db: Db, { ecpdId }: Tenant, deviceId: string): Promise<Date | undefined> =>
  (await db.value<Date | null>(sql`
    select max(at) as at from device_position where ecpd_id = ${ecpdId} and device_id = ${deviceId}`)) ??
  undefined;

/** A text that changes whenever positions of the account are written, even old ones. */
export const findPositionMark = async (db: Db, { ecpdId, accountName }: Tenant): Promise<string> =>
  (await db.maybeValue<string>(sql`
    select times::text as mark from position_news where ecpd_id = ${ecpdId} and account_name = ${accountName}`)) ??
  '';

/** How the whole simulated network behaves: it answers, refuses, or does not answer. */
export const NETWORK_CONDITIONS = ['normal', 'refusing', 'unreachable'] as const;
type NetworkCondition = (typeof NETWORK_CONDITIONS)[number];

export const findNetworkCondition = async (db: Db): Promise<NetworkCondition> =>
  (await db.maybeValue<NetworkCondition>(sql`select condition from simulated_network`)) ?? 'normal';

export const setNetworkCondition = (db: Db, condition: NetworkCondition) =>
  db.exec(sql`
    insert into simulated_network (condition) values (${condition})
    on conflict (only_row) do update set condition = excluded.condition`);

/** Deletes the rows of a profile whose accounts are deleted. */
export const deletePositionNews = (db: Db, ecpdId: string) =>
  db.exec(sql`delete from position_news where ecpd_id = ${ecpdId}`);
