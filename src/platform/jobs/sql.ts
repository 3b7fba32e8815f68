import type { Db } from '../db/db.ts';
import { onlyReachable } from '../db/reachable.ts';
import { sql, unprepared, upkeep } from '../db/sql.ts';
import { LEASE_MS } from '../lanes/leases.ts';
import type { TraceParent } from '../telemetry/tracing/tracing.ts';

export const JOB_CHANNEL = 'linekeeper_job';
const LEASE_SECONDS = LEASE_MS / 1_000;

export interface ClaimedJob {
  readonly ecpdId: string;
  readonly jobId: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly leaseToken: string;
  readonly requestId: string;
  readonly trace: TraceParent | null;
  readonly moveNr: number;
}

/**
 * Written so that no index can serve it. Just after many jobs were added, the planner would expect few of these kinds, and
 * read all of them instead of the first few by time.
 */
const isOneOf = (kinds: readonly string[]) => sql`array_position(${kinds}::text[], kind) is not null`;

export interface DueJob {
  readonly ecpdId: string;
  readonly jobId: string;
}
interface OldJob extends DueJob {
  readonly dueAt: Date;
}

// The queries below read all profiles and take no locks; the claim names one profile and decides.

/** Jobs of a process that died or hangs. */
export const listAbandoned = (db: Db, kinds: readonly string[], limit: number) =>
  db.many<OldJob>(
    unprepared(sql`
      select ecpd_id as "ecpdId", job_id as "jobId", due_at as "dueAt" from job
      where state = 'running' and lease_until < statement_timestamp() and ${isOneOf(kinds)}
        and ${onlyReachable(db, 'ecpd_id')}
      order by lease_until limit ${limit}`),
  );

export const listOldestDue = (db: Db, now: Date, kinds: readonly string[], limit: number) =>
  db.many<OldJob>(
    unprepared(sql`
      select ecpd_id as "ecpdId", job_id as "jobId", due_at as "dueAt" from job
      where state = 'waiting' and due_at <= ${now} and ${isOneOf(kinds)} and ${onlyReachable(db, 'ecpd_id')}
      order by due_at limit ${limit}`),
  );

/** The jobs that one worker alone would run, in a fixed order even for the same due time. */
export const listInOrder = (db: Db, now: Date, kinds: readonly string[], limit: number) =>
  db.many<OldJob>(
    unprepared(sql`
      select ecpd_id as "ecpdId", job_id as "jobId", due_at as "dueAt" from job
      where state = 'waiting' and due_at <= ${now} and ${isOneOf(kinds)} and ${onlyReachable(db, 'ecpd_id')}
      order by due_at, ecpd_id, job_id limit ${limit}`),
  );

interface Turn {
  readonly after: string | undefined;
  readonly now: Date;
  readonly kinds: readonly string[];
  readonly limit: number;
}

/** Jumps from profile to profile in the index, so the number of jobs of a profile makes no difference. */
const walkTurns = ({ after, now, kinds, limit }: Turn) => sql`
  select profile.ecpd_id as "ecpdId", due.job_id as "jobId"
  from (
    with recursive walk (ecpd_id) as (
      (select ecpd_id from job
        where state = 'waiting' and ${after === undefined ? sql`true` : sql`ecpd_id > ${after}`}
        order by ecpd_id limit 1)
      union all
      select (select job.ecpd_id from job where state = 'waiting' and job.ecpd_id > walk.ecpd_id
              order by job.ecpd_id limit 1)
      from walk where walk.ecpd_id is not null)
    select ecpd_id from walk where ecpd_id is not null limit ${limit}) profile
  left join lateral (
    select job_id from job
    where state = 'waiting' and job.ecpd_id = profile.ecpd_id and due_at <= ${now} and ${isOneOf(kinds)}
    order by due_at limit 1) due on true`;

/** Every server reads all jobs that wait on it. */
const gatherTurns = (db: Db, { after, now, kinds, limit }: Turn) => sql`
  select ecpd_id as "ecpdId",
    (array_agg(job_id order by due_at) filter (where due_at <= ${now} and ${isOneOf(kinds)}))[1] as "jobId"
  from job where state = 'waiting' and ${after === undefined ? sql`true` : sql`ecpd_id > ${after}`}
    and ${onlyReachable(db, 'ecpd_id')}
  group by ecpd_id order by ecpd_id limit ${limit}`;

/** The next profiles after `after` with waiting jobs, and the oldest due job of each, if any. */
export const listTurns = (db: Db, turn: Turn) =>
  db.many<{ ecpdId: string; jobId: string | null }>(
    unprepared(db.sharded ? gatherTurns(db, turn) : walkTurns(turn)),
  );

export const claimJobs = (
  db: Db,
  claim: { ecpdId: string; jobs: readonly DueJob[]; leaseToken: string; now: Date },
) =>
  db.many<ClaimedJob>(
    unprepared(sql`
      with free as materialized (
        select job_id from job
        where ecpd_id = ${claim.ecpdId} and job_id = any(${claim.jobs.map(({ jobId }) => jobId)}::uuid[])
          and ((state = 'waiting' and due_at <= ${claim.now}) or (state = 'running' and lease_until < statement_timestamp()))
        for update skip locked)
      update job set state = 'running', attempts = attempts + 1, lease_token = ${claim.leaseToken},
        lease_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from free
      where job.ecpd_id = ${claim.ecpdId} and job.job_id = free.job_id
      returning job.ecpd_id as "ecpdId", job.job_id as "jobId", kind, payload, attempts,
                attempts_max as "attemptsMax", lease_token as "leaseToken", request_id as "requestId", trace,
                move_nr as "moveNr"`),
  );

/** Returns the jobs whose lease is still ours; other workers hold the others. */
export const renewLeases = (db: Db, ecpdId: string, jobs: readonly ClaimedJob[]) =>
  db.many<DueJob>(
    upkeep(sql`
      update job set lease_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from unnest(${jobs.map((job) => job.jobId)}::uuid[], ${jobs.map((job) => job.leaseToken)}::uuid[]) as held (id, token)
      where job.ecpd_id = ${ecpdId} and job.job_id = held.id and job.lease_token = held.token and job.state = 'running'
      returning job.ecpd_id as "ecpdId", job.job_id as "jobId"`),
  );

export interface End {
  readonly state: 'done' | 'failed' | 'waiting';
  /** When the job ended; for a waiting job, when it is due. */
  readonly at: Date;
  readonly error?: string;
  /** Set if they change. */
  readonly attempts?: number;
}

/** Fenced: false if another worker holds the lease now, because then that worker's run counts. */
export const finishJob = async (db: Db, job: ClaimedJob, end: End): Promise<boolean> =>
  (await db.exec(sql`
    update job set state = ${end.state}, lease_token = null, lease_until = null,
      finished_at = ${end.state === 'waiting' ? null : end.at},
      due_at = coalesce(${end.state === 'waiting' ? end.at : null}, due_at),
      attempts = coalesce(${end.attempts ?? null}, attempts), last_error = ${end.error ?? null}
    where ecpd_id = ${job.ecpdId} and job_id = ${job.jobId} and lease_token = ${job.leaseToken} and state = 'running'`)) ===
  1;

/** As if the job had not been claimed: the interrupted attempt does not count. */
export const handBackJob = (db: Db, job: ClaimedJob) =>
  db.exec(sql`
    update job set state = 'waiting', lease_token = null, lease_until = null, attempts = attempts - 1
    where ecpd_id = ${job.ecpdId} and job_id = ${job.jobId} and lease_token = ${job.leaseToken} and state = 'running'`);

const ofMove = (nr: number | undefined) => (nr === undefined ? sql`true` : sql`move_nr <= ${nr}`);

/** The next due time of all waiting jobs, or after `after` of those that the move with this number waits for. */
export const findNextDue = (
  db: Db,
  kinds: readonly string[],
  scope?: { nr: number; after: Date },
): Promise<Date | undefined> =>
  db.maybeValue<Date>(sql`
    select due_at as "dueAt" from job where state = 'waiting' and ${isOneOf(kinds)} and ${onlyReachable(db, 'ecpd_id')}
      and ${scope === undefined ? sql`true` : sql`due_at > ${scope.after} and ${ofMove(scope.nr)}`}
    order by due_at limit 1`);

/** Whether any job could be claimed now. */
export const hasDue = async (db: Db, kinds: readonly string[], now: Date): Promise<boolean> => {
  const found = await Promise.all([listOldestDue(db, now, kinds, 1), listAbandoned(db, kinds, 1)]);
  return found.flat().length > 0;
};

/** Whether the move with this number has jobs to wait for, including running jobs and those whose process died. */
export const hasUnfinished = (
  db: Db,
  kinds: readonly string[],
  { nr, until }: { nr: number; until: Date },
): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select 1 from job
      where (state = 'running' or (state = 'waiting' and due_at <= ${until})) and ${ofMove(nr)}
        and ${isOneOf(kinds)}) as is`);

export const countUnfinished = (
  db: Db,
  until: Date,
  kinds: readonly string[],
  nr?: number,
): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as n from job
    where ((state = 'waiting' and due_at <= ${until}) or state = 'running') and kind = any(${kinds}::text[])
      and ${ofMove(nr)}`);

/** The query across profiles takes no locks; each delete names one profile. Returns how many jobs it deleted. */
export async function deleteFinishedBefore(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; jobIds: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(job_id) as "jobIds" from (
      select ecpd_id, job_id from job where state in ('done', 'failed') and finished_at < ${before}
      order by finished_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, jobIds } of old) {
    deleted += await db.exec(sql`
      delete from job where ecpd_id = ${ecpdId} and job_id = any(${jobIds}::uuid[]) and state in ('done', 'failed')`);
  }
  return deleted;
}
