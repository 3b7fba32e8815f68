import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import { type HeldSpan, unnestSpans } from '../devices/index.ts';
import type { TakenFix } from './location.ts';
import { isOfAccount } from './sql-position.ts';

/** The history first, which can be long: feeds wait for the rows of the cache. */
export const deletePositions = async (
  db: Db,
  ecpdId: string,
  deviceIds: readonly string[],
): Promise<number> => {
  const ids = plainArray(deviceIds);
  return (
    (await db.exec(
      sql`delete from position_history where ecpd_id = ${ecpdId} and device_id = any(${ids}::uuid[])`,
    )) +
    (await db.exec(
      sql`delete from device_position where ecpd_id = ${ecpdId} and device_id = any(${ids}::uuid[])`,
    ))
  );
};

/** Deletes the positions of devices that were taken in these times. */
export const deletePositionsIn = async (
  db: Db,
  ecpdId: string,
  spans: readonly HeldSpan[],
): Promise<number> => {
  const taken = sql`
    p using ${unnestSpans(spans)} as s (device_id, from_at, to_at)
    where p.ecpd_id = ${ecpdId} and p.device_id = s.device_id and p.at between s.from_at and s.to_at`;
  return (
    (await db.exec(sql`delete from position_history ${taken}`)) +
    (await db.exec(sql`delete from device_position ${taken}`))
  );
};

/** Positions that are deleted in one transaction with their lines. A single line may have more. */
const ERASED_AT_ONCE = 50_000;

/** How many of the devices, from the first on, have few enough positions to be deleted at once; at least one. */
export const countErasable = async (
  db: Db,
  ecpdId: string,
  deviceIds: readonly string[],
): Promise<number> => {
  const fitting = await db.value<number>(sql`
    with recursive walk (nth, total) as (
      select 0, 0::bigint
      union all
      select w.nth + 1, w.total + (
        select count(*) from (
          select 1 from position_history p
          where p.ecpd_id = ${ecpdId} and p.device_id = (${plainArray(deviceIds)}::uuid[])[w.nth + 1]
          limit ${ERASED_AT_ONCE}::bigint + 1 - w.total) own)
      from walk w where w.nth < ${deviceIds.length}::int and w.total <= ${ERASED_AT_ONCE})
    select max(nth) filter (where total <= ${ERASED_AT_ONCE})::int as n from walk`);
  return Math.max(1, fitting);
};

const LINES_AT_ONCE = 1_000;

/** Deletes the history of the next lines of an account. Returns how many positions there were. */
export async function deleteHistoryOfAccount(db: Db, { ecpdId, accountName }: Tenant): Promise<number> {
  const next = await db.values<string>(sql`
    select d.device_id as "deviceId" from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
      and exists (select from position_history p where p.ecpd_id = ${ecpdId} and p.device_id = d.device_id)
    limit ${LINES_AT_ONCE}`);
  if (next.length === 0) return 0;
  const fitting = next.slice(0, await countErasable(db, ecpdId, next));
  return db.exec(sql`
    delete from position_history where ecpd_id = ${ecpdId} and device_id = any(${plainArray(fitting)}::uuid[])`);
}

export const deletePositionsOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<number> =>
  (await db.exec(sql`
    delete from position_history where ecpd_id = ${ecpdId} and device_id in (
      select device_id from device where ecpd_id = ${ecpdId} and account_name = ${accountName})`)) +
  (await db.exec(sql`
    delete from device_position where ecpd_id = ${ecpdId} and device_id in (
      select device_id from device where ecpd_id = ${ecpdId} and account_name = ${accountName})`));

interface OldOfProfile {
  readonly ecpdId: string;
  readonly deviceIds: readonly string[];
}

/** Each delete names one profile. Returns the number of deleted rows. */
async function deleteEach<Old extends OldOfProfile>(
  old: readonly Old[],
  deleteOf: (one: Old) => Promise<number>,
): Promise<number> {
  let deleted = 0;
  for (const one of old) deleted += await deleteOf(one);
  return deleted;
}

/** The read across profiles takes no locks. */
export const deleteOldPositions = async (db: Db, before: Date, limit: number): Promise<number> =>
  deleteEach(
    await db.many<OldOfProfile>(sql`
      select ecpd_id as "ecpdId", array_agg(device_id) as "deviceIds" from (
        select ecpd_id, device_id from device_position where at < ${before} order by at limit ${limit}) oldest
      group by ecpd_id`),
    ({ ecpdId, deviceIds }) =>
      db.exec(sql`
        delete from device_position
        where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and at < ${before}`),
  );

/** Deletes only up to the newest position in the batch: a device may have many more old ones. */
export const deleteOldHistory = async (db: Db, before: Date, limit: number): Promise<number> =>
  deleteEach(
    await db.many<OldOfProfile & { until: Date }>(sql`
      select ecpd_id as "ecpdId", array_agg(distinct device_id) as "deviceIds", max(at) as until from (
        select ecpd_id, device_id, at from position_history where at < ${before} order by at limit ${limit}) oldest
      group by ecpd_id`),
    ({ ecpdId, deviceIds, until }) =>
      db.exec(sql`
        delete from position_history
        where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and at <= ${until}`),
  );

export interface HistorySpan {
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  readonly limit: number;
}

/** Newest first. The caller must check consent. */
export const listHistory = (db: Db, tenant: Tenant, deviceId: string, { from, to, limit }: HistorySpan) =>
  db.many<TakenFix>(sql`
    select device_id as "deviceId", accuracy, latitude, longitude, radius_m as "radiusM", at from position_history
    where ecpd_id = ${tenant.ecpdId} and device_id = ${deviceId} and at >= ${from} and at < ${to}
      and ${isOfAccount(tenant, sql`${deviceId}::uuid`)}
    order by at desc limit ${limit}`);
