import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Restart } from './session-report.ts';

/** Stores the latest restart of each server. Rows are ordered by name, so that two concurrent writers cannot deadlock. */
export const noteRestarts = (db: Db, restarts: readonly Restart[]) =>
  db.exec(sql`
    insert into access_server as a (nas, restarted_at)
    select nas, max(at) from unnest(${arrayText(restarts.map(({ nas }) => nas))}::text[],
      ${plainArray(restarts.map(({ atMs }) => new Date(atMs)))}::timestamptz[]) as i (nas, at)
    group by nas order by nas
    on conflict (nas) do update set restarted_at = greatest(a.restarted_at, excluded.restarted_at)`);

export const listRestarts = async (db: Db, names: readonly string[]): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (
      await db.many<{ nas: string; at: Date }>(
        sql`select nas, restarted_at as at from access_server where nas = any(${arrayText(names)}::text[])`,
      )
    ).map(({ nas, at }) => [nas, at.getTime()]),
  );

/** Profiles whose lines have open sessions on an access server. */
export const listProfilesOn = (db: Db, nas: string, after: string, limit: number): Promise<string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from data_session
    where nas = ${nas} and closed_at is null and ecpd_id > ${after} order by 1 limit ${limit}`);

/** Skips locked sessions: a report for them is being written. */
export const closeSessionsOn = (db: Db, ecpdId: string, nas: string, at: Date, limit: number) =>
  db.exec(sql`
    update data_session set closed_at = ${at}, close_cause = 'restart of the access server'
    where ecpd_id = ${ecpdId} and session_key in (
      select session_key from data_session
      where ecpd_id = ${ecpdId} and nas = ${nas} and closed_at is null and last_at <= ${at}
      limit ${limit} for update skip locked)`);
