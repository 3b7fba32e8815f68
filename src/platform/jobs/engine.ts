import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { withMoveNr } from '../clock/clock.ts';
import type { Ctx } from '../context/context.ts';
import type { NotificationFeed } from '../db/listen.ts';
import { within } from '../flow-control/limits.ts';
import type { TimedWork } from '../flow-control/timed-work.ts';
import type { FindOldestDue } from '../health/due-work.ts';
import { createHealth, type Health } from '../health/health.ts';
import { forEachIsolated, forEachSourceIsolated } from '../health/isolate-failures.ts';
import { createSweeper } from '../lanes/sweeper.ts';
import { failureOf, noTracing, type TraceParent, type Tracing } from '../telemetry/tracing/tracing.ts';
import { type Crew, crewOf, findDue, findOldestDue } from './crew.ts';
import { enqueueJobs } from './enqueue.ts';
import { backoffMs, type JobKind, type JobOutcome, NO_PROFILE } from './job.ts';
import { createSettling } from './settling.ts';
import * as store from './sql.ts';

const RENEW_MS = 1_000;
/** What an aborted job has left to come to a safe point. */
const ABORT_MS = 2_000;
const ERROR_MAX_LENGTH = 2_000;
const CONCURRENCY_MAX = 8;
/** Jobs that wait outside. */
const WAITING_OUTSIDE_MAX = 16;
/** What running jobs leave of the connections to requests and to claiming. */
const CONNECTIONS_LEFT = 2;
/** The metrics and the operator want a number soon, or none. */
const COUNT_MS = 2_000;

export interface JobEngine extends TimedWork {
  start(): Promise<void>;
  /** Puts back the jobs that come by themselves, where they are missing. */
  addRecurring(): Promise<void>;
  /** No new work is claimed; what runs finishes, or is handed back after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  leaveRecurring(left: boolean): void;
  /** Rejects when the database does not answer soon. */
  countUnfinished: TimedWork['countUnfinished'];
  readonly findOldestDue: FindOldestDue;
  /** Runs finished since the engine was made, for the metrics. */
  readonly counts: ReadonlyMap<string, { done: number; failed: number; retried: number }>;
}

class LeaseLost extends Error {}
class Stopping extends Error {}

interface Running {
  readonly job: store.ClaimedJob;
  readonly crew: Crew;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

export function createJobEngine(
  ctx: Ctx,
  kinds: readonly JobKind[],
  {
    concurrency = Math.max(1, Math.min(CONCURRENCY_MAX, ctx.db.transactionsMax - CONNECTIONS_LEFT)),
    feed,
    health = createHealth(),
    tracing = noTracing,
  }: { concurrency?: number; feed?: NotificationFeed; health?: Health; tracing?: Tracing } = {},
): JobEngine {
  const byKind = new Map(kinds.map((job) => [job.kind, job]));
  const allKinds = [...byKind.keys()];
  const ownTimeKinds = kinds.filter(({ everyMs }) => everyMs === undefined).map(({ kind }) => kind);
  const crews = [
    crewOf(
      kinds.filter(({ waitsOutside }) => !waitsOutside),
      concurrency,
    ),
    crewOf(
      kinds.filter(({ waitsOutside }) => waitsOutside),
      WAITING_OUTSIDE_MAX,
    ),
  ].filter((crew) => crew.kinds.length > 0);
  const running = new Map<string, Running>();
  const claims = health.loop('jobs.claim');
  const renewals = health.loop('jobs.renew');
  const records = health.loop('jobs.record', { occasional: true });
  const counts = new Map(kinds.map(({ kind }) => [kind, { done: 0, failed: 0, retried: 0 }]));
  let stopping = false;
  let leavesRecurring = false;
  let renewTimer: NodeJS.Timeout | undefined;

  const afterSuccess = (kind: JobKind, outcome: JobOutcome, now: Date) => {
    const againAt =
      outcome?.againAt ?? (kind.everyMs === undefined ? undefined : new Date(now.getTime() + kind.everyMs));
    return againAt === undefined
      ? ({ state: 'done', at: now } as const)
      : ({ state: 'waiting', dueAt: againAt, error: null, attempts: 0 } as const);
  };

  async function runInTransaction(kind: JobKind, job: store.ClaimedJob, jobCtx: Ctx, signal: AbortSignal) {
    await jobCtx.db.tx(async (db) => {
      const outcome = await kind.run({ ...jobCtx, db }, Value.Parse(kind.schema, job.payload), {
        ...job,
        attempt: job.attempts,
        signal,
      });
      if (!(await store.finishJob(db, job, afterSuccess(kind, outcome, ctx.now())))) throw new LeaseLost();
    });
  }

  async function runInSteps(kind: JobKind, job: store.ClaimedJob, jobCtx: Ctx, signal: AbortSignal) {
    const outcome = await kind.run(jobCtx, Value.Parse(kind.schema, job.payload), {
      ...job,
      attempt: job.attempts,
      signal,
    });
    if (!(await store.finishJob(ctx.db, job, afterSuccess(kind, outcome, ctx.now())))) throw new LeaseLost();
  }

  async function recordFailure(kind: JobKind, job: store.ClaimedJob, jobCtx: Ctx, error: unknown) {
    const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX_LENGTH);
    const now = ctx.now();
    const last = job.attempts >= job.attemptsMax;
    ctx.log.warn({ err: error, kind: job.kind, jobId: job.jobId, attempt: job.attempts, last }, 'job failed');
    counts.get(kind.kind)![last ? 'failed' : 'retried']++;
    if (last && kind.everyMs === undefined) {
      // If even this fails, the lease runs out and the job comes back here.
      await kind.onGivenUp?.(jobCtx, Value.Parse(kind.schema, job.payload), job);
      await store.finishJob(ctx.db, job, { state: 'failed', at: now, error: text });
      return;
    }
    // A recurring job is never given up: it waits for its next turn.
    const delayMs = last ? (kind.everyMs ?? 0) : backoffMs(job.attempts);
    const dueAt = new Date(now.getTime() + delayMs);
    await store.finishJob(ctx.db, job, {
      state: 'waiting',
      dueAt,
      error: text,
      attempts: last ? 0 : job.attempts,
    });
  }

  const beginSpan = ({ kind, jobId, attempts, requestId }: store.ClaimedJob, parent: TraceParent) =>
    tracing.begin(`job ${kind}`, {
      kind: 'consumer',
      parent,
      attributes: {
        'linekeeper.job_id': jobId,
        'linekeeper.attempt': attempts,
        'linekeeper.request_id': requestId,
      },
    });

  async function execute(job: store.ClaimedJob, signal: AbortSignal): Promise<void> {
    const kind = byKind.get(job.kind)!;
    // What comes by itself belongs to nothing, and would be most of what is traced.
    const span = job.trace === null ? undefined : beginSpan(job, job.trace);
    const jobCtx: Ctx = {
      ...ctx,
      requestId: job.requestId,
      clock: withMoveNr(ctx.clock, job.moveNr),
      trace: span?.traceparent,
      actor: { kind: 'system', name: job.kind },
      log: ctx.log.child({ job: job.kind, jobId: job.jobId }),
    };
    try {
      // Claimed again after a process died with it, and beyond its attempts: it may be what kills them.
      if (job.attempts > job.attemptsMax) throw new Error('its process died in every attempt');
      await (kind.commits === 'transaction' ? runInTransaction : runInSteps)(kind, job, jobCtx, signal);
      counts.get(kind.kind)!.done++;
      records.passed();
      span?.end();
    } catch (error) {
      span?.end({ failure: failureOf(error) });
      if (error instanceof LeaseLost) return void jobCtx.log.warn('lease lost; another worker has the job');
      const record =
        signal.reason instanceof Stopping
          ? store.handBackJob(ctx.db, job)
          : recordFailure(kind, job, jobCtx, error);
      await record.then(records.passed, (failure: unknown) => {
        // The lease runs out and the job is taken up again: nothing is lost by not recording it.
        records.failed(failure);
        jobCtx.log.error({ err: failure }, 'could not record the end of a job');
      });
    }
  }

  function launch(crew: Crew, job: store.ClaimedJob): void {
    const abort = new AbortController();
    const ended = execute(job, abort.signal).finally(() => {
      running.delete(job.jobId);
      settling.ended(job);
      sweeper.soon();
    });
    running.set(job.jobId, { job, crew, abort, ended });
  }

  const onClaimError = (error: unknown) => ctx.log.error({ err: error }, 'could not look for due jobs');

  /** What a crew has places for, by profile. */
  async function findFor(crew: Crew) {
    if (stopping || !ctx.clock.isRight()) return [];
    const kindsNow = leavesRecurring ? crew.ownTimeKinds : crew.kinds;
    const due = await findDue(ctx.db, crew, kindsNow, running, ctx.now());
    return [...Map.groupBy(due, ({ ecpdId }) => ecpdId)].map(([ecpdId, jobs]) => ({ crew, ecpdId, jobs }));
  }

  async function claimTurn(): Promise<number> {
    const claim = async ({ crew, ecpdId, jobs }: Awaited<ReturnType<typeof findFor>>[number]) => {
      const jobIds = jobs.map(({ jobId }) => jobId);
      const leaseToken = randomUUID();
      const mine = await store.claimJobs(ctx.db, { ecpdId, jobIds, leaseToken, now: ctx.now() });
      for (const job of mine) launch(crew, job);
      return mine.length;
    };
    return forEachSourceIsolated(crews, findFor, claim, onClaimError, claims);
  }

  const sweeper = createSweeper({
    find: claimTurn,
    loop: claims,
    onError: onClaimError,
  });

  async function renew(): Promise<void> {
    const onError = (error: unknown) => ctx.log.error({ err: error }, 'could not renew job leases');
    const renewOf = async ([ecpdId, held]: [string, Running[]]) => {
      const kept = await store.renewLeases(
        ctx.db,
        ecpdId,
        held.map(({ job }) => job),
      );
      for (const { job, abort } of held)
        if (!kept.has(job.jobId) && running.has(job.jobId)) abort.abort(new LeaseLost());
      return kept.size;
    };
    const byProfile = Map.groupBy(running.values(), ({ job }) => job.ecpdId);
    await forEachIsolated(byProfile, renewOf, onError, renewals).then(renewals.passed, (error: unknown) => {
      renewals.failed(error);
      onError(error);
    });
    if (!stopping || running.size > 0) renewTimer = setTimeout(renew, RENEW_MS);
  }

  /** Jobs that come back by themselves exist once, whoever starts first. */
  const addRecurring = async () => {
    for (const job of kinds) {
      if (job.everyMs !== undefined)
        await enqueueJobs(ctx, job, NO_PROFILE, [{ payload: {}, key: 'recurring' }]);
    }
  };

  const settling = createSettling({
    ctx,
    running,
    look: sweeper.look,
    kinds: () => (leavesRecurring ? ownTimeKinds : allKinds),
  });

  return {
    counts,
    addRecurring,
    async start() {
      await addRecurring();
      feed?.on(store.JOB_CHANNEL, sweeper.soon);
      renewTimer = setTimeout(renew, RENEW_MS);
      for (const loop of [renewals, records]) loop.begin();
      sweeper.start();
    },
    async stop(graceMs) {
      stopping = true;
      await sweeper.stop();
      const all = Promise.all([...running.values()].map(({ ended }) => ended));
      const patience = new AbortController();
      const impatient = sleep(graceMs, undefined, patience).then(() => {
        for (const { abort } of running.values()) abort.abort(new Stopping('the process is stopping'));
        return sleep(ABORT_MS, undefined, patience);
      });
      // What does not even end when it is told to is left to its lease, which another worker takes over.
      await Promise.race([all, impatient.catch(() => {})]);
      patience.abort();
      clearTimeout(renewTimer);
      for (const loop of [renewals, records]) loop.rest();
    },
    settle: settling.settle,
    leaveRecurring(left) {
      leavesRecurring = left;
    },
    nextDueAt: (scope) => store.findNextDue(ctx.db, ownTimeKinds, scope),
    findOldestDue: (db) => findOldestDue(db, crews, running, ctx.now()),
    countUnfinished: (until, scope) =>
      within(COUNT_MS, store.countUnfinished(ctx.db, until, allKinds, scope?.nr)),
  };
}
