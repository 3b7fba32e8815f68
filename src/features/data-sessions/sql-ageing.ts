import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

export const listProfilesWithSilent = (db: Db, before: Date, page: { after: string; limit: number }) =>
  db.values<string>(sql`
    select distinct s.ecpd_id as "ecpdId" from data_session s
    where s.closed_at is null and s.last_at < ${before} and s.ecpd_id > ${page.after} order by 1 limit ${page.limit}`);

/** Skips locked sessions: a report for them is being written. */
export const closeSilent = (db: Db, ecpdId: string, before: Date, limit: number): Promise<number> =>
  db.exec(sql`
    update data_session set closed_at = last_at, close_cause = 'nothing was heard of it'
    where ecpd_id = ${ecpdId} and session_key in (
      select s.session_key from data_session s where s.ecpd_id = ${ecpdId} and s.closed_at is null and s.last_at < ${before}
      limit ${limit} for update of s skip locked)`);

export async function deleteClosed(db: Db, closedBefore: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; keys: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(session_key) as keys from (
      select ecpd_id, session_key from data_session where closed_at < ${closedBefore} order by closed_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, keys } of old)
    deleted += await db.exec(
      sql`delete from data_session where ecpd_id = ${ecpdId} and session_key = any(${plainArray(keys)}::uuid[])
        and closed_at < ${closedBefore}`,
    );
  return deleted;
}
