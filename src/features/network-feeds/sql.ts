import type { Db } from '../../platform/db/db.ts';
import { sql, upkeep } from '../../platform/db/sql.ts';

/** A process without a report for this long no longer runs the feed. It reports every second. */
const REPORTED_MS = 5_000;
const KEPT_MS = 60_000;

interface FeedReport {
  readonly feed: string;
  readonly reporter: string;
  readonly backlog: number;
  readonly oldestAt: Date | undefined;
  readonly rate: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly busyWith: string | undefined;
  readonly problem: string | undefined;
}

export const noteReport = (db: Db, report: FeedReport) =>
  db.exec(
    upkeep(sql`
    insert into network_feed_report (feed, reporter, backlog, oldest_at, rate, accepted, duplicates, rejected, busy_with, problem,
      noted_at)
    values (${report.feed}, ${report.reporter}, ${report.backlog}, ${report.oldestAt ?? null}, ${report.rate}, ${report.accepted},
      ${report.duplicates}, ${report.rejected}, ${report.busyWith ?? null}, ${report.problem ?? null},
      statement_timestamp())
    on conflict (feed, reporter) do update set backlog = excluded.backlog, oldest_at = excluded.oldest_at, rate = excluded.rate,
      accepted = excluded.accepted, duplicates = excluded.duplicates, rejected = excluded.rejected,
      busy_with = excluded.busy_with, problem = excluded.problem, noted_at = excluded.noted_at`),
  );

export const deleteReport = (db: Db, feed: string, reporter: string) =>
  db.exec(sql`delete from network_feed_report where feed = ${feed} and reporter = ${reporter}`);

/** Deletes reports of processes that no longer exist. */
export const deleteOldReports = (db: Db) =>
  db.exec(
    sql`delete from network_feed_report where noted_at < statement_timestamp() - make_interval(secs => ${KEPT_MS / 1_000})`,
  );

export const isFeedPaused = async (db: Db, feed: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from network_feed where feed = ${feed} and paused_at is not null`)) !==
  undefined;

export const setFeedPaused = (db: Db, feed: string, by: string | undefined, now: Date) =>
  db.exec(sql`
    insert into network_feed (feed, paused_at, paused_by)
    values (${feed}, ${by === undefined ? null : now}, ${by ?? null})
    on conflict (feed) do update set paused_at = excluded.paused_at, paused_by = excluded.paused_by`);

export const noteFeedFailure = (db: Db, feed: string, reason: string, now: Date) =>
  db.exec(sql`
    insert into network_feed (feed, last_error, last_error_at) values (${feed}, ${reason}, ${now})
    on conflict (feed) do update set last_error = excluded.last_error, last_error_at = excluded.last_error_at`);

interface FeedRow {
  readonly feed: string;
  readonly processes: number;
  readonly mostWaiting: number;
  readonly allWaiting: number;
  readonly lagSeconds: number;
  readonly rate: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly busyWith: string | null;
  readonly problem: string | null;
}

/** Sums over all processes. */
export const sumReports = (db: Db) =>
  db.many<FeedRow>(sql`
    select feed, count(*)::int as processes, max(backlog)::float8 as "mostWaiting", sum(backlog)::float8 as "allWaiting",
      coalesce(greatest(extract(epoch from statement_timestamp() - min(oldest_at)), 0), 0)::float8 as "lagSeconds",
      sum(rate) as rate, sum(accepted)::float8 as accepted, sum(duplicates)::float8 as duplicates,
      sum(rejected)::float8 as rejected, string_agg(busy_with, '; ' order by busy_with) as "busyWith",
      min(problem) as problem
    from network_feed_report where noted_at > statement_timestamp() - make_interval(secs => ${REPORTED_MS / 1_000})
    group by feed`);

export const listFeedRows = (db: Db) =>
  db.many<{ feed: string; pausedAt: Date | null; lastError: string | null; lastErrorAt: Date | null }>(sql`
    select feed, paused_at as "pausedAt", last_error as "lastError", last_error_at as "lastErrorAt" from network_feed`);
