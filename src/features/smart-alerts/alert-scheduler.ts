import { setTimeout as sleep } from 'node:timers/promises';
import { withMoveNr } from '../../platform/clock/clock.ts';
import { type Ctx, forWork } from '../../platform/context/context.ts';
import { createPatience, type MoveStep, type TimedWork } from '../../platform/flow-control/timed-work.ts';
import type { FindOldestDue } from '../../platform/health/due-work.ts';
import { createHealth, type Health, type Loop } from '../../platform/health/health.ts';
import { forEachIsolated, forEachSourceIsolated } from '../../platform/health/isolate-failures.ts';
import { createSweeper } from '../../platform/lanes/sweeper.ts';
import { countRuleChanges, hasRuleChanges, listProfilesWithRuleChanges } from '../device-management/index.ts';
import { applyChanges, applyDue, type RuleDeps } from './apply-due.ts';
import { countDue, findNextDue, findOldestDue, listProfilesDue, type Share } from './sql-state.ts';

/** Profiles are processed in the order in which these rows became due. */
const DUE_SEEN = 10_000;
/** The wait for another worker that has locked due rules, and the wait before a retry after a failure. */
const [HELD_POLL_MS, FAILED_POLL_MS] = [20, 500];

export interface AlertScheduler extends TimedWork {
  start(): void;
  stop(): Promise<void>;
  readonly findOldestDue: FindOldestDue;
}

type Task = () => Promise<number>;

/** The pending work as one task per profile. A failing task does not stop the others. */
function createTasks(ctx: Ctx, deps: RuleDeps, loop: Loop) {
  let stopping = false;
  const onError = (error: unknown) => ctx.log.error({ err: error }, 'could not query due rules');
  const ofChanges = async (of: Ctx): Promise<Task[]> =>
    (await listProfilesWithRuleChanges(of.db)).map(
      (ecpdId) => () =>
        applyChanges(
          forWork(of, () => `rules changed ${ecpdId}`),
          ecpdId,
          deps,
        ),
    );
  const ofDue = async (of: Ctx, share?: Share): Promise<Task[]> =>
    (await listProfilesDue(of.db, { dueBy: of.now(), limit: DUE_SEEN, share })).map(
      (ecpdId) => () =>
        applyDue(
          forWork(of, () => `rules due ${ecpdId}`),
          ecpdId,
          deps,
          share,
        ),
    );
  const runTask = async (task: Task) => (stopping ? 0 : task());
  const sources = [
    () => ofChanges(ctx),
    () => {
      const move = ctx.clock.move();
      return ofDue(ctx, move && { above: move.nr });
    },
  ];
  return {
    onError,
    ofChanges,
    ofDue,
    /** Runs all that is due now, except what a clock move waits for. */
    async runDue(): Promise<number> {
      if (!ctx.clock.isRight()) return 0;
      return forEachSourceIsolated(sources, (list) => list(), runTask, onError, loop);
    },
    /** A failing profile counts as not done: after a time limit, the move continues without it. */
    runInMove: (tasks: readonly Task[]) =>
      forEachIsolated(tasks, runTask, onError, loop).catch(async (error: unknown) => {
        onError(error);
        await sleep(FAILED_POLL_MS);
        return 0;
      }),
    stop() {
      stopping = true;
    },
  };
}

/** Completes the work that a step of a clock move waits for; returns how much was done. */
function createStepFinisher(ctx: Ctx, { ofChanges, ofDue, runInMove }: ReturnType<typeof createTasks>) {
  /** The last move for which the changes pending at its beginning were applied. */
  let appliedNr: number | undefined;
  const patience = createPatience();

  /** Applies only as many as are pending now: endless rule changes must not hold up the clock. */
  async function finishChanges(of: Ctx): Promise<number> {
    const there = await countRuleChanges(of.db);
    let ran = 0;
    for (let done = 1; done > 0 && ran < there; ran += done) done = await runInMove(await ofChanges(of));
    return ran;
  }

  return async (step: MoveStep): Promise<number> => {
    const { nr, until, signal } = step;
    const ofMove = { ...ctx, clock: withMoveNr(ctx.clock, nr) };
    const isFirst = appliedNr !== nr;
    appliedNr = nr;
    const changes = await finishChanges(isFirst ? ofMove : ctx);
    // The move does not wait for the effects of changes that arrived during it.
    let ran = isFirst ? changes : 0;
    const isStalled = patience(step);
    while (!signal.aborted && ctx.clock.isRight()) {
      if ((await countDue(ctx.db, until, { upTo: nr })) === 0) break;
      const done = await runInMove(await ofDue(ofMove, { upTo: nr }));
      ran += done;
      if (isStalled(ran)) {
        ctx.log.warn('the clock move continues without the rules of devices that are locked or fail');
        break;
      }
      if (done === 0) await sleep(HELD_POLL_MS);
    }
    return ran;
  };
}

/**
 * Applies rule changes and rules that become due by time alone. Every process may run one: due work is a row, and the
 * worker that locks its device and commits has done it. During a clock move, work that the move waits for is left to
 * the move.
 */
export function createAlertScheduler(
  ctx: Ctx,
  deps: RuleDeps,
  health: Health = createHealth(),
): AlertScheduler {
  const loop = health.loop('rules.follow');
  const tasks = createTasks(ctx, deps, loop);
  const finishStep = createStepFinisher(ctx, tasks);
  const sweeper = createSweeper({
    async find() {
      const found = await tasks.runDue();
      // The work done may have made more due.
      if (found > 0) sweeper.soon();
      return found;
    },
    loop,
    onError: tasks.onError,
  });

  const nextDueAt: TimedWork['nextDueAt'] = async (scope) =>
    scope === undefined && (await hasRuleChanges(ctx.db)) ? ctx.now() : findNextDue(ctx.db, scope);

  async function finishDue(): Promise<number> {
    for (let ran = 0; ; ) {
      const done = await tasks.runDue();
      ran += done;
      if (done > 0) continue;
      const next = await nextDueAt();
      if (next === undefined || next > ctx.now()) return ran;
      await sleep(HELD_POLL_MS);
    }
  }

  return {
    start: sweeper.start,
    stop() {
      tasks.stop();
      return sweeper.stop();
    },
    nextDueAt,
    async findOldestDue(db) {
      const oldest = await findOldestDue(db, ctx.now());
      return oldest && { key: oldest.ruleId, dueAt: oldest.dueAt };
    },
    settle: (step) => (step === undefined ? finishDue() : finishStep(step)),
    countUnfinished: async (until, scope) =>
      (await countDue(ctx.db, until, scope && { upTo: scope.nr })) +
      (scope === undefined ? await countRuleChanges(ctx.db) : 0),
  };
}
