import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, trusted, unprepared } from '../../platform/db/sql.ts';
import type { KeptReport } from './session-reading.ts';
import type { SessionState } from './session-state.ts';

/** The facts about a session apart from its counters; undefined: not reported. */
export interface SessionFacts {
  readonly apn: string | undefined;
  readonly rat: string | undefined;
  readonly sgsn: string | undefined;
  readonly ggsn: string | undefined;
  readonly visited: string | undefined;
  readonly countryCode: string | undefined;
  readonly imeisv: string | undefined;
  readonly address: string | undefined;
  readonly cell: string | undefined;
  readonly directionsSwapped: boolean;
}

/** A session that reports are about. */
export interface NamedSession {
  readonly sessionKey: string;
  readonly nas: string;
  readonly sessionId: string;
  readonly accountName: string;
  readonly deviceId: string;
}

export interface StoredSession extends SessionState {
  readonly sessionKey: string;
  readonly moved: boolean;
  readonly imeisv: string | null;
}

/** A kept report as it is stored; `fromMs` only where it differs. */
type StoredReport = readonly [
  kind: KeptReport['kind'],
  atMs: number,
  input: number,
  output: number,
  chargingId: number | null,
  fromMs?: number,
];

const toReport = ([kind, atMs, input, output, chargingId, fromMs = atMs]: StoredReport): KeptReport => ({
  kind,
  atMs,
  fromMs,
  input,
  output,
  chargingId,
});

const fromReport = ({ kind, atMs, fromMs, input, output, chargingId }: KeptReport): StoredReport =>
  fromMs === atMs ? [kind, atMs, input, output, chargingId] : [kind, atMs, input, output, chargingId, fromMs];

interface StoredRow
  extends Omit<StoredSession, 'reports' | 'droppedUntilMs' | 'lastAtMs' | 'startedAtMs' | 'closedAtMs'> {
  readonly reports: readonly StoredReport[];
  readonly droppedUntil: Date | null;
  readonly lastAt: Date | null;
  readonly startedAt: Date | null;
  readonly closedAt: Date | null;
}

const STATE =
  trusted(`s.session_key as "sessionKey", s.reports, s.dropped_until as "droppedUntil", s.counted::float8 as counted,
  s.doubtful::float8 as doubtful, s.records, s.charging_id::float8 as "chargingId", s.input::float8 as input,
  s.output::float8 as output, s.last_at as "lastAt", s.started_at as "startedAt", s.closed_at as "closedAt",
  s.close_cause as "closeCause", s.moved, s.imeisv`);

const msOf = (at: Date | null): number | null => at?.getTime() ?? null;

const toStored = ({
  reports,
  droppedUntil,
  lastAt,
  startedAt,
  closedAt,
  ...rest
}: StoredRow): StoredSession => ({
  ...rest,
  reports: reports.map(toReport),
  droppedUntilMs: msOf(droppedUntil),
  lastAtMs: msOf(lastAt),
  startedAtMs: msOf(startedAt),
  closedAtMs: msOf(closedAt),
});

const listStored = async (db: Db, query: Query): Promise<readonly StoredSession[]> =>
  (await db.many<StoredRow>(query)).map(toStored);

/**
 * Locks the existing sessions, in the order of their keys. The statement is planned each time: a plan from when there
 * were few sessions would compare each key with every session of the profile.
 */
export const lockSessions = (db: Db, ecpdId: string, sessionKeys: readonly string[]) =>
  listStored(
    db,
    unprepared(sql`
    select ${STATE} from data_session s
    where s.ecpd_id = ${ecpdId} and s.session_key = any(${plainArray(sessionKeys)}::uuid[])
    order by s.session_key for update of s`),
  );

/** Other profiles in which these sessions exist and have not been moved. */
export const listInOtherProfiles = (db: Db, ecpdId: string, sessionKeys: readonly string[]) =>
  db.many<{ ecpdId: string; sessionKeys: string[] }>(
    unprepared(sql`
    select ecpd_id as "ecpdId", array_agg(session_key) as "sessionKeys" from data_session
    where session_key = any(${plainArray(sessionKeys)}::uuid[]) and ecpd_id <> ${ecpdId} and not moved
    group by ecpd_id order by ecpd_id`),
  );

/** Why a session ended in a profile whose line has left it. */
export const LINE_HAS_LEFT = 'the line has left';

/**
 * Marks sessions as moved in a profile that their line has left, and returns their state. From now on they count in the
 * new profile.
 */
export const markMoved = (db: Db, ecpdId: string, sessionKeys: readonly string[], now: Date) =>
  listStored(
    db,
    sql`
    update data_session as s set moved = true, closed_at = coalesce(closed_at, ${now}),
      close_cause = coalesce(close_cause, ${LINE_HAS_LEFT})
    where s.ecpd_id = ${ecpdId} and s.session_key = any(${plainArray(sessionKeys)}::uuid[]) and not s.moved
    returning ${STATE}`,
  );

interface SessionChange {
  readonly session: NamedSession;
  readonly state: SessionState;
  readonly facts: SessionFacts;
}

const momentOf = (at: number | null): Date | null => (at === null ? null : new Date(at));

const CHANGED =
  trusted(`session_key, account_name, device_id, reports, dropped_until, counted, doubtful, records, charging_id, input,
  output, last_at, started_at, closed_at, close_cause, apn, rat, sgsn, ggsn, visited, country_code, imeisv, address, cell,
  directions_swapped`);

const plain = <T>(items: readonly T[], read: (item: T) => string | number | boolean | Date | null) =>
  plainArray(items.map(read));
const text = <T>(items: readonly T[], read: (item: T) => string | undefined) => arrayText(items.map(read));

/** One array for each column that changes. */
const changed = (c: readonly SessionChange[]): Query => sql`
  ${plain(c, ({ session }) => session.sessionKey)}::uuid[], ${text(c, ({ session }) => session.accountName)}::text[],
  ${plain(c, ({ session }) => session.deviceId)}::uuid[],
  ${text(c, ({ state }) => JSON.stringify(state.reports.map(fromReport)))}::jsonb[],
  ${plain(c, ({ state }) => momentOf(state.droppedUntilMs))}::timestamptz[], ${plain(c, ({ state }) => state.counted)}::bigint[],
  ${plain(c, ({ state }) => state.doubtful)}::bigint[], ${plain(c, ({ state }) => state.records)}::int[],
  ${plain(c, ({ state }) => state.chargingId)}::bigint[], ${plain(c, ({ state }) => state.input)}::bigint[],
  ${plain(c, ({ state }) => state.output)}::bigint[], ${plain(c, ({ state }) => momentOf(state.lastAtMs))}::timestamptz[],
  ${plain(c, ({ state }) => momentOf(state.startedAtMs))}::timestamptz[],
  ${plain(c, ({ state }) => momentOf(state.closedAtMs))}::timestamptz[],
  ${text(c, ({ state }) => state.closeCause ?? undefined)}::text[], ${text(c, ({ facts }) => facts.apn)}::text[],
  ${text(c, ({ facts }) => facts.rat)}::text[], ${text(c, ({ facts }) => facts.sgsn)}::text[],
  ${text(c, ({ facts }) => facts.ggsn)}::text[], ${text(c, ({ facts }) => facts.visited)}::text[],
  ${text(c, ({ facts }) => facts.countryCode)}::text[], ${text(c, ({ facts }) => facts.imeisv)}::text[],
  ${text(c, ({ facts }) => facts.address)}::text[], ${text(c, ({ facts }) => facts.cell)}::text[],
  ${plain(c, ({ facts }) => facts.directionsSwapped)}::boolean[]`;

/**
 * Inserts new sessions in the order of their keys. If another transaction inserts one first, this waits for it and
 * leaves that row as it is. Returns how many rows were inserted.
 */
export const insertSessions = (db: Db, ecpdId: string, sessions: readonly SessionChange[]): Promise<number> =>
  db.exec(sql`
    insert into data_session (ecpd_id, nas, session_id, ${CHANGED})
    select p.ecpd_id, i.* from profile p cross join unnest(
      ${text(sessions, ({ session }) => session.nas)}::text[], ${text(sessions, ({ session }) => session.sessionId)}::text[],
      ${changed(sessions)}) as i (nas, session_id, ${CHANGED})
    where p.ecpd_id = ${ecpdId} order by i.session_key
    on conflict (ecpd_id, session_key) do nothing`);

/** Facts that were not reported keep their values. */
export const updateSessions = (db: Db, ecpdId: string, changes: readonly SessionChange[]): Promise<number> =>
  db.exec(
    unprepared(sql`
    update data_session s set account_name = i.account_name, device_id = i.device_id, reports = i.reports,
      dropped_until = i.dropped_until, counted = i.counted, doubtful = i.doubtful, records = i.records,
      charging_id = i.charging_id, input = i.input, output = i.output, last_at = i.last_at, started_at = i.started_at,
      closed_at = i.closed_at, close_cause = i.close_cause, moved = false, apn = coalesce(i.apn, s.apn),
      rat = coalesce(i.rat, s.rat), sgsn = coalesce(i.sgsn, s.sgsn), ggsn = coalesce(i.ggsn, s.ggsn),
      visited = coalesce(i.visited, s.visited), country_code = coalesce(i.country_code, s.country_code),
      imeisv = coalesce(i.imeisv, s.imeisv), address = coalesce(i.address, s.address), cell = coalesce(i.cell, s.cell),
      directions_swapped = i.directions_swapped
    from unnest(${changed(changes)}) as i (${CHANGED})
    where s.ecpd_id = ${ecpdId} and s.session_key = i.session_key`),
  );

interface NewStart {
  readonly sessionKey: string;
  readonly deviceId: string;
  readonly apn: string | undefined;
  readonly atMs: number;
}

/** Closes other sessions of the same lines on the same access point, whose stop was never reported. Skips locked ones. */
export const closeBefore = (db: Db, ecpdId: string, starts: readonly NewStart[]) =>
  db.exec(sql`
    with begun as (
      select * from unnest(${plainArray(starts.map(({ sessionKey }) => sessionKey))}::uuid[],
        ${plainArray(starts.map(({ deviceId }) => deviceId))}::uuid[], ${arrayText(starts.map(({ apn }) => apn ?? ''))}::text[],
        ${plainArray(starts.map(({ atMs }) => new Date(atMs)))}::timestamptz[]) as b (session_key, device_id, apn, at)
    ), over as (
      select s.session_key, b.at from begun b
      join data_session s on s.ecpd_id = ${ecpdId} and s.device_id = b.device_id
      where s.closed_at is null and s.session_key <> b.session_key and coalesce(s.apn, '') = b.apn and s.last_at <= b.at
      for update of s skip locked
    )
    update data_session s set closed_at = o.at, close_cause = 'the next start of the line'
    from (select session_key, min(at) as at from over group by session_key) o
    where s.ecpd_id = ${ecpdId} and s.session_key = o.session_key`);
