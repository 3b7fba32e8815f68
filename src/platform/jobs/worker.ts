import { Value } from 'typebox/value';
import { withMoveNr } from '../clock/clock.ts';
import { type Ctx, forWork } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { Loop } from '../health/health.ts';
import type { LaneWorker } from '../lanes/lane.ts';
import { failureOf, type Tracing } from '../telemetry/tracing/tracing.ts';
import { backoffMs, type JobKind, type JobOutcome } from './job.ts';
import * as store from './sql.ts';

const ERROR_MAX_LENGTH = 2_000;

class LeaseLost extends Error {}
class Stopping extends Error {}

/** Number of runs, by how they ended. */
export type Counts = Record<'done' | 'failed' | 'retried', number>;

interface Run {
  readonly ctx: Ctx;
  readonly kind: JobKind;
  readonly job: store.ClaimedJob;
  readonly counts: Counts;
  /** Receives whether the end of a job could be written. */
  readonly records: Loop;
}

interface ReportingRun extends Run {
  /** Called if the job is due again at once. */
  readonly onDueAgain: () => void;
}

/** Runs one job once, and records the result. */
export function createJobWorker(run: Run, tracing: Tracing): LaneWorker {
  const abort = new AbortController();
  let isDueAgain = false;
  const onDueAgain = () => {
    isDueAgain = true;
  };
  return {
    run: () => runTraced({ ...run, onDueAgain }, tracing, abort.signal),
    get isDueAgain() {
      return isDueAgain;
    },
    lost: () => abort.abort(new LeaseLost()),
    hurry: () => abort.abort(new Stopping('the process is stopping')),
  };
}

async function runTraced(
  { ctx, ...run }: ReportingRun,
  tracing: Tracing,
  signal: AbortSignal,
): Promise<void> {
  const { ecpdId, kind, jobId, attempts, requestId, trace, moveNr } = run.job;
  const attributes = {
    'linekeeper.job_id': jobId,
    'linekeeper.attempt': attempts,
    'linekeeper.request_id': requestId,
  };
  // Recurring jobs belong to no trace, and would make up most of the spans.
  const span =
    trace === null
      ? undefined
      : tracing.begin(`job ${kind}`, { kind: 'consumer', parent: trace, attributes });
  const jobCtx: Ctx = {
    ...forWork(ctx, () => `job ${ecpdId} ${jobId}`),
    ...{ requestId, clock: withMoveNr(ctx.clock, moveNr), trace: span?.traceparent },
    actor: { kind: 'system', name: kind },
    log: ctx.log.child({ job: kind, jobId }),
  };
  const failure = await runAndRecord({ ctx: jobCtx, ...run }, signal);
  span?.end(failure === undefined ? undefined : { failure: failureOf(failure) });
}

/** Returns the error of the run, if any. */
async function runAndRecord(run: ReportingRun, signal: AbortSignal): Promise<unknown> {
  const { ctx, kind, job, counts, records } = run;
  try {
    // A process died in every attempt: the job itself may be what kills them.
    if (job.attempts > job.attemptsMax) throw new Error('its process died in every attempt');
    if (kind.commits === 'transaction')
      await ctx.db.tx((db) => runOn(db, run, signal), { ecpdId: job.ecpdId });
    else await runOn(ctx.db, run, signal);
    counts.done++;
    records.passed();
    return undefined;
  } catch (error) {
    if (error instanceof LeaseLost) ctx.log.warn('lease lost; another worker has the job');
    else
      await (signal.reason instanceof Stopping
        ? store.handBackJob(ctx.db, job)
        : recordFailure(run, error)
      ).then(records.passed, (failure: unknown) => {
        // When the lease ends, another worker claims the job: nothing is lost by not recording the end.
        records.failed(failure);
        ctx.log.error({ err: failure }, 'could not record the end of a job');
      });
    return error;
  }
}

async function runOn(
  db: Db,
  { ctx, kind, job, onDueAgain }: ReportingRun,
  signal: AbortSignal,
): Promise<void> {
  const payload = Value.Parse(kind.schema, job.payload);
  const outcome = await kind.run({ ...ctx, db }, payload, { ...job, attempt: job.attempts, signal });
  const now = ctx.now();
  const end = afterSuccess(kind, outcome, now);
  if (!(await store.finishJob(db, job, end))) throw new LeaseLost();
  if (end.state === 'waiting' && end.at <= now) onDueAgain();
}

function afterSuccess({ everyMs }: JobKind, outcome: JobOutcome, now: Date): store.End {
  const againAt = outcome?.againAt ?? (everyMs === undefined ? undefined : new Date(now.getTime() + everyMs));
  return againAt === undefined ? { state: 'done', at: now } : { state: 'waiting', at: againAt, attempts: 0 };
}

async function recordFailure({ ctx, kind, job, counts }: Run, err: unknown): Promise<void> {
  const error = (err instanceof Error ? err.message : String(err)).slice(0, ERROR_MAX_LENGTH);
  const now = ctx.now();
  const { jobId, attempts } = job;
  const last = attempts >= job.attemptsMax;
  ctx.log.warn({ err, kind: job.kind, jobId, attempt: attempts, last }, 'job failed');
  counts[last ? 'failed' : 'retried']++;
  if (last && kind.everyMs === undefined) {
    // If this fails too, the lease ends and the job gets here again.
    await kind.onGivenUp?.(ctx, Value.Parse(kind.schema, job.payload), job);
    await store.finishJob(ctx.db, job, { state: 'failed', at: now, error });
    return;
  }
  // A recurring job is never given up: it waits for its next time.
  const at = new Date(now.getTime() + (last ? (kind.everyMs ?? 0) : backoffMs(attempts)));
  await store.finishJob(ctx.db, job, { state: 'waiting', at, error, ...(last && { attempts: 0 }) });
}
