import { type Ctx, forWork } from '../context/context.ts';
import type { NotificationFeed } from '../db/listen.ts';
import { within } from '../flow-control/limits.ts';
import type { RecurringWork, TimedWork } from '../flow-control/timed-work.ts';
import type { FindOldestDue } from '../health/due-work.ts';
import { createHealth, type Health } from '../health/health.ts';
import { LaneEngine } from '../lanes/engine.ts';
import type { LaneWorker } from '../lanes/lane.ts';
import { noTracing, type Tracing } from '../telemetry/tracing/tracing.ts';
import { type Crew, crewOfOne, crewsOf, findOldestDue, listDue, listDueInOrder } from './crew.ts';
import { enqueueRecurring } from './enqueue.ts';
import type { JobKind } from './job.ts';
import * as store from './sql.ts';
import { type Counts, createJobWorker } from './worker.ts';

const CONCURRENCY_MAX = 8;
/** Places for jobs that wait for other systems. */
const WAITING_OUTSIDE_MAX = 16;
/** Connections that running jobs leave for requests and for claiming. */
const CONNECTIONS_LEFT = 2;
/** The metrics and the operator need the number soon, or an error. */
const COUNT_MS = 2_000;

export interface JobEngine extends TimedWork {
  start(): Promise<void>;
  /** Adds the recurring jobs that are missing. */
  addRecurring(): Promise<void>;
  /** Claims no new work. Running jobs finish, or are handed back after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  runRecurring(which: RecurringWork): void;
  /** Rejects if the database does not answer soon. */
  countUnfinished: TimedWork['countUnfinished'];
  readonly findOldestDue: FindOldestDue;
  /** Runs that ended since the engine was created, for the metrics. */
  readonly counts: ReadonlyMap<string, Readonly<Counts>>;
}

interface JobOptions {
  readonly concurrency?: number;
  /** Jobs run one after the other, and jobs due at the same moment run in the same order each time. */
  readonly oneAtATime?: boolean;
  readonly feed?: NotificationFeed;
  readonly health?: Health;
  readonly tracing?: Tracing;
}

/** A lane is one job. */
type Lanes = LaneEngine<store.DueJob, store.ClaimedJob, Crew, LaneWorker>;

interface LaneDeps {
  readonly jobs: ReadonlyMap<string, { readonly kind: JobKind; readonly counts: Counts }>;
  readonly crews: readonly Crew[];
  readonly kindsOf: (crew: Crew) => readonly string[];
  readonly oneAtATime: boolean;
  readonly notifiesAll: boolean;
  readonly health: Health;
  readonly tracing: Tracing;
}

function createLanes(ctx: Ctx, deps: LaneDeps): Lanes {
  const { db } = ctx;
  const { jobs, crews, kindsOf, oneAtATime, notifiesAll, health, tracing } = deps;
  const records = health.loop('jobs.record', { occasional: true });
  const lanes: Lanes = new LaneEngine(ctx, {
    name: 'jobs',
    pools: crews,
    keyOf: ({ jobId }) => jobId,
    listsAll: notifiesAll,
    notifiesAll,
    listDue: (on, crew) => (oneAtATime ? listDueInOrder : listDue)(on, crew, kindsOf(crew), ctx.now()),
    claim: (ecpdId, due, leaseToken) =>
      store.claimJobs(db, { ecpdId, jobs: due, leaseToken, now: ctx.now() }),
    renew: (ecpdId, held) => store.renewLeases(db, ecpdId, held),
    work: (job) => createJobWorker({ ctx, job, records, ...jobs.get(job.kind)! }, tracing),
    onEnded: ({ moveNr }) => lanes.ended([moveNr]),
    isAwaited: ({ kind, moveNr }, { nr }) =>
      moveNr <= nr && crews.some((crew) => kindsOf(crew).includes(kind)),
    async isDue(step) {
      const kinds = crews.flatMap(kindsOf);
      return step === undefined ? store.hasDue(db, kinds, ctx.now()) : store.hasUnfinished(db, kinds, step);
    },
    askMs: 500,
    loops: { claims: health.loop('jobs.claim'), renewals: health.loop('jobs.renew'), others: [records] },
  });
  return lanes;
}

export function createJobEngine(
  ctx: Ctx,
  list: readonly JobKind[],
  {
    concurrency = Math.max(1, Math.min(CONCURRENCY_MAX, ctx.db.transactionsMax - CONNECTIONS_LEFT)),
    oneAtATime = false,
    feed,
    health = createHealth(),
    tracing = noTracing,
  }: JobOptions = {},
): JobEngine {
  const { db } = ctx;
  const counts = new Map(list.map(({ kind }) => [kind, { done: 0, failed: 0, retried: 0 }]));
  const jobs = new Map(list.map((kind) => [kind.kind, { kind, counts: counts.get(kind.kind)! }]));
  const crews = oneAtATime
    ? [crewOfOne(list)]
    : crewsOf(list, { inside: concurrency, outside: WAITING_OUTSIDE_MAX });
  const ownTimeKinds = crews.flatMap(({ kindsWith }) => kindsWith.none);
  let recurringWork: RecurringWork = 'all';
  const kindsOf = ({ kindsWith }: Crew) => kindsWith[recurringWork];
  const notifiesAll = feed !== undefined;
  const recurring = list.filter(({ everyMs }) => everyMs !== undefined);
  async function addRecurring(): Promise<void> {
    if (recurring.length > 0)
      await enqueueRecurring(
        forWork(ctx, () => 'recurring jobs'),
        recurring,
      );
  }
  const lanes = createLanes(ctx, { jobs, crews, kindsOf, oneAtATime, notifiesAll, health, tracing });

  return {
    counts,
    addRecurring,
    async start() {
      await addRecurring();
      feed?.on(store.JOB_CHANNEL, lanes.soon);
      lanes.start();
    },
    stop: (graceMs) => lanes.stop(graceMs),
    settle: lanes.settle,
    watch: lanes.watch,
    runRecurring(which) {
      recurringWork = which;
      lanes.changed();
    },
    nextDueAt: (scope) => store.findNextDue(db, ownTimeKinds, scope),
    findOldestDue: (on) => findOldestDue(on, crews, lanes, ctx.now()),
    countUnfinished: (until, scope) =>
      within(COUNT_MS, store.countUnfinished(db, until, [...jobs.keys()], scope?.nr)),
  };
}
