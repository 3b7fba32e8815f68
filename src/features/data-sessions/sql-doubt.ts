import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

/** Usage that may have been counted twice, as the report has shown with which it was noticed. */
export interface Doubt {
  readonly accountName: string;
  readonly deviceId: string;
  readonly nas: string;
  readonly sessionId: string;
  readonly chargingId: number | null;
  /** The time of the report. */
  readonly at: Date;
  readonly bytes: number;
  /** The usage record that the report added, if it added any bytes. */
  readonly recordId: string;
}

/** A report that is too late to be compared may come again; its record counts once, and so does its doubt. */
export const insertDoubts = (db: Db, ecpdId: string, doubts: readonly Doubt[], now: Date): Promise<number> =>
  db.exec(sql`
    insert into doubtful_usage (ecpd_id, record_id, account_name, device_id, nas, session_id, charging_id, at, bytes, noticed_at)
    select p.ecpd_id, i.*, ${now}::timestamptz from profile p cross join unnest(
      ${arrayText(doubts.map(({ recordId }) => recordId))}::text[],
      ${arrayText(doubts.map(({ accountName }) => accountName))}::text[],
      ${plainArray(doubts.map(({ deviceId }) => deviceId))}::uuid[], ${arrayText(doubts.map(({ nas }) => nas))}::text[],
      ${arrayText(doubts.map(({ sessionId }) => sessionId))}::text[],
      ${plainArray(doubts.map(({ chargingId }) => chargingId))}::bigint[], ${plainArray(doubts.map(({ at }) => at))}::timestamptz[],
      ${plainArray(doubts.map(({ bytes }) => bytes))}::bigint[]) as i
    where p.ecpd_id = ${ecpdId}
    on conflict (ecpd_id, record_id) do nothing`);

interface DoubtFilter {
  readonly ecpdId: string | undefined;
  readonly accountName: string | undefined;
  readonly before: { readonly at: Date; readonly recordId: string } | undefined;
  readonly limit: number;
}

/** Newest first. */
export const listDoubts = (db: Db, { ecpdId, accountName, before, limit }: DoubtFilter) =>
  db.many<Doubt & { readonly ecpdId: string; readonly noticedAt: Date }>(sql`
    select ecpd_id as "ecpdId", account_name as "accountName", device_id as "deviceId", nas, session_id as "sessionId",
      charging_id::float8 as "chargingId", at, bytes::float8 as bytes, noticed_at as "noticedAt", record_id as "recordId"
    from doubtful_usage
    where true ${ecpdId === undefined ? sql`` : sql`and ecpd_id = ${ecpdId}`}
      ${accountName === undefined ? sql`` : sql`and account_name = ${accountName}`}
      ${before === undefined ? sql`` : sql`and (noticed_at, record_id) < (${before.at}, ${before.recordId}::text collate "C")`}
    order by noticed_at desc, record_id desc limit ${limit}`);

export async function deleteDoubts(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; recordIds: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(record_id) as "recordIds" from (
      select ecpd_id, record_id from doubtful_usage where noticed_at < ${before} order by noticed_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, recordIds } of old)
    deleted += await db.exec(sql`
      delete from doubtful_usage where ecpd_id = ${ecpdId} and record_id = any(${arrayText(recordIds)}::text[])`);
  return deleted;
}
