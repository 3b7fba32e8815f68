import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Restart, SessionReport } from './session-report.ts';

/** As many restarts of a server as late reports are compared with. */
const RESTARTS_MAX = 32;

/** Stores the restarts of servers. Rows are ordered by name, so that two concurrent writers cannot deadlock. */
export const noteRestarts = (db: Db, restarts: readonly Restart[]) =>
  db.exec(sql`
    insert into access_server (nas, restarted_at)
    select distinct nas, at from unnest(${arrayText(restarts.map(({ nas }) => nas))}::text[],
      ${plainArray(restarts.map(({ atMs }) => new Date(atMs)))}::timestamptz[]) as i (nas, at)
    order by nas, at
    on conflict (nas, restarted_at) do nothing`);

/** The last restarts of each server. */
export const listRestarts = async (
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> =>
  new Map(
    (
      await db.many<{ nas: string; at: readonly Date[] }>(sql`
        select n.nas, array(select a.restarted_at from access_server a where a.nas = n.nas
          order by a.restarted_at desc limit ${RESTARTS_MAX}) as at
        from unnest(${arrayText(names)}::text[]) as n (nas)`)
    ).map(({ nas, at }) => [nas, at.map((moment) => moment.getTime())]),
  );

export const deleteRestarts = (db: Db, before: Date, limit: number): Promise<number> =>
  db.exec(sql`
    delete from access_server where (nas, restarted_at) in (
      select nas, restarted_at from access_server where restarted_at < ${before} limit ${limit})`);

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

/** A place in the list of all sessions. */
export interface SessionPlace {
  readonly ecpdId: string;
  readonly sessionKey: string;
}

interface LastReport extends SessionPlace {
  readonly sessionId: string;
  readonly imsi: string | null;
  readonly msisdn: string | null;
  readonly last: readonly [
    kind: SessionReport['kind'],
    atMs: number,
    input: number,
    output: number,
    chargingId: number | null,
  ];
  readonly closeCause: string | null;
  readonly directionsSwapped: boolean;
  readonly apn: string | null;
  readonly visited: string | null;
}

/** The last reports of sessions that have reports from before and from after restarts of their access server. */
export const listReportedAround = (
  db: Db,
  nas: string,
  [first, last]: readonly [first: Date, last: Date],
  { ecpdId, sessionKey }: SessionPlace,
  limit: number,
) =>
  db.many<LastReport>(sql`
    select s.ecpd_id as "ecpdId", s.session_key as "sessionKey", s.session_id as "sessionId", d.imsi, d.msisdn,
      (select r from jsonb_array_elements(s.reports) r order by (r->>1)::float8 desc limit 1) as last,
      s.close_cause as "closeCause", s.directions_swapped as "directionsSwapped", s.apn, s.visited
    from data_session s join device d on d.ecpd_id = s.ecpd_id and d.device_id = s.device_id
    where s.nas = ${nas} and (s.closed_at is null or s.closed_at >= ${first}) and s.last_at >= ${first} and not s.moved
      and (s.ecpd_id, s.session_key) > (${ecpdId}, ${sessionKey}::uuid)
      and exists (select from jsonb_array_elements(s.reports) r
        where coalesce(r->>5, r->>1)::float8 <= ${last.getTime()}::float8)
    order by s.ecpd_id, s.session_key limit ${limit}`);
