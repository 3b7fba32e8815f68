import type { CausedFilter } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';

interface JobRow {
  readonly id: string;
  readonly ecpdId: string | null;
  readonly kind: string;
  readonly key: string | null;
  readonly state: string;
  readonly dueAt: Date;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly lastError: string | null;
  readonly requestId: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

interface JobFilter {
  readonly kind?: string | undefined;
  readonly state?: string | undefined;
  readonly ecpdId?: string | undefined;
  readonly limit: number;
}

export const listJobs = (db: Db, { kind, state, ecpdId, limit }: JobFilter) =>
  db.many<JobRow>(sql`
    select job_id as id, nullif(ecpd_id, '') as "ecpdId", kind, key, state, due_at as "dueAt", attempts,
           attempts_max as "attemptsMax", last_error as "lastError", request_id as "requestId",
           created_at as "createdAt", finished_at as "finishedAt"
    from job
    where ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
      and ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${ecpdId === undefined ? sql`true` : sql`ecpd_id = ${ecpdId}`}
    order by due_at desc, job_id limit ${limit}`);

/** When the first waiting job is due, of all profiles and kinds. */
export const findFirstWaiting = (db: Db): Promise<Date | undefined> =>
  db.maybeValue<Date>(sql`select due_at as "dueAt" from job where state = 'waiting' order by due_at limit 1`);

/** Undefined if the profile has no such job, or it was deleted. */
export const findJobState = (
  db: Db,
  { ecpdId, jobId, kind }: { readonly ecpdId: string; readonly jobId: string; readonly kind: string },
): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    select state from job where ecpd_id = ${ecpdId} and job_id = ${jobId} and kind = ${kind}`);

/** Only a failed job can be retried. It starts with all its attempts. */
export async function retryJob(db: Db, jobId: string, now: Date): Promise<boolean> {
  const found = await db.maybe<{ ecpdId: string }>(
    sql`select ecpd_id as "ecpdId" from job where job_id = ${jobId} and state = 'failed'`,
  );
  if (found === undefined) return false;
  const changed = await db.exec(sql`
    update job set state = 'waiting', attempts = 0, due_at = ${now}, finished_at = null
    where ecpd_id = ${found.ecpdId} and job_id = ${jobId} and state = 'failed'`);
  return changed === 1;
}

interface CausedJob extends Pick<JobRow, 'id' | 'kind' | 'state'> {
  readonly cause: string;
  readonly at: Date;
}

/** The first jobs that each request caused. */
export const listCausedJobs = (db: Db, { causes, since, limit }: CausedFilter) =>
  db.many<CausedJob>(sql`
    select job_id as id, kind, state, request_id as cause, created_at as at from (
      select *, row_number() over (partition by request_id order by created_at, job_id) as nth from job
      where request_id = any(${causes}::text[]) and created_at >= ${since}) of
    where nth <= ${limit} order by created_at, job_id`);
