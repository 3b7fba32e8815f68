import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Simulator, SimulatorChange, SimulatorState } from '../features/operator/index.ts';
import { trueChance } from '../platform/chance/chance.ts';
import { type ClockMover, MayNotMove, StillMoving } from '../platform/clock/clock-mover.ts';
import type { Settings } from '../platform/config/settings.ts';
import { type Ctx, forWork } from '../platform/context/context.ts';
import { randomToken } from '../platform/crypto/token.ts';
import { enqueueJobs } from '../platform/jobs/enqueue.ts';
import { defineJob, type JobKind, NO_PROFILE } from '../platform/jobs/job.ts';
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts';

/** Interval of ticks in domain time while the clock runs normally. */
const TICK_MS = 30_000;
/** Interval during a move of the clock; a tick costs about the same for any length. */
const PASSING_MS = 12 * 3_600_000;
/**
 * Time before the end of a cycle or a due job at which the fleet ticks, so that a closing cycle has the same
 * usage as in real time.
 */
const AHEAD_MS = 1_000;

/** The inputs for the time of the next tick. */
interface TickTimes {
  readonly mover: () => ClockMover | undefined;
  /** The next end of a cycle, or the next due job that is not recurring. */
  readonly nextDueAt: (after: Date) => Promise<Date | undefined>;
  /** Number of such jobs done, because jobs change lines. */
  readonly jobsDone: () => number;
}

/** During a move, a tick precedes everything due, including the end of each cycle. */
async function nextTick(at: Date, movingTo: Date | undefined, { nextDueAt }: TickTimes): Promise<Date> {
  const atMs = at.getTime();
  if (movingTo === undefined || movingTo <= at) return new Date(atMs + TICK_MS);
  const dueAt = await nextDueAt(new Date(atMs + AHEAD_MS));
  return new Date(
    Math.min(
      atMs + PASSING_MS,
      dueAt === undefined ? Number.POSITIVE_INFINITY : dueAt.getTime() - AHEAD_MS,
      movingTo.getTime(),
    ),
  );
}
const ANSWER_MS = 120_000;
const TICK = { kind: 'simulator.tick', schema: Type.Object({}), attemptsMax: 100 };

type SimulatorSettings = Pick<Settings, 'simulator' | 'simulatorSeed' | 'simulatorSpeed' | 'dataDir'>;

export type RunningSimulator = Pick<SimulatorState, 'running' | 'speed'>;

export interface HostedSimulator extends Simulator {
  /** The key of its process. */
  readonly operatorKey: string;
  /** Its ticks as a job, so that a move of the clock waits for each. */
  job(times: TickTimes): JobKind;
  /** Enables it; it starts if it ran before, or else if the settings say so. */
  begin(url: string, before?: RunningSimulator): Promise<void>;
  /** Restores its job after a reset of the domain. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The simulated fleet: a process that starts with the first tick, restarts after a crash, and gets a request
 * from a job at each tick. It remembers until when it has sent everything.
 */
export function hostSimulator(
  outer: Ctx,
  { simulator: startsRunning, simulatorSeed: seed, simulatorSpeed, dataDir }: SimulatorSettings,
): HostedSimulator {
  const ctx = forWork(outer, () => 'living fleet');
  const operatorKey = randomToken(trueChance);
  let url: string | undefined;
  let running = false;
  let speed = simulatorSpeed;
  let notBefore: Date | undefined;
  let doneBefore = 0;
  let lastTick: string | undefined;
  let lastError: string | undefined;
  let process: Promise<SimulatorProcess> | undefined;
  let moverOf: () => ClockMover | undefined = () => undefined;

  /** Does nothing while another client moves the clock, or while it is frozen. */
  function paceBy(ms: number): void {
    const mover = moverOf();
    if (mover === undefined || mover.movingTo() !== undefined || mover.isFrozen()) return;
    try {
      mover.pace(ms).done.catch((error: unknown) => {
        if (!(error instanceof MayNotMove)) ctx.log.warn({ err: error }, 'time could not run faster');
      });
    } catch (error) {
      if (!(error instanceof StillMoving)) throw error;
    }
  }

  function start(): Promise<SimulatorProcess> {
    if (!running) throw new Error('the living fleet was stopped');
    return startSimulatorProcess(
      {
        LINEKEEPER_URL: url ?? '',
        LINEKEEPER_OPERATOR_KEY: operatorKey,
        LINEKEEPER_SIMULATOR_SEED: seed,
        LINEKEEPER_SIMULATOR_SPEED: String(speed),
        LINEKEEPER_SIMULATOR_AT_A_TIME: ctx.chance.repeats ? '1' : '8',
        LINEKEEPER_SIMULATOR_MEMORY: join(dataDir, 'simulator.json'),
      },
      { log: ctx.log, onBehind: paceBy },
    );
  }

  /** Concurrent callers share one start of the process. */
  function started(): Promise<SimulatorProcess> {
    const before = process?.catch(() => undefined) ?? Promise.resolve(undefined);
    process = before.then((known) => (known?.alive ? known : start()));
    return process;
  }

  async function end(): Promise<void> {
    const ending = process;
    process = undefined;
    await (await ending?.catch(() => undefined))?.end();
  }

  /** The next tick catches up on a failed one, because retries would block the clock. */
  async function tick(until: Date, passing: boolean, next: Date, done: number): Promise<void> {
    try {
      const since = notBefore?.toISOString();
      const asked = {
        until: until.toISOString(),
        passing,
        since,
        ...(passing && { next: next.toISOString() }),
        // Excludes its own ticks, which are also jobs.
        changed: done > doneBefore + 1,
      };
      doneBefore = done;
      await (await started()).ask({ tick: asked }, ANSWER_MS);
      [lastTick, lastError] = [until.toISOString(), undefined];
    } catch (error) {
      if (!running) return;
      lastError = (error as Error).message;
      ctx.log.warn({ err: error }, 'the simulator failed this tick; the next one catches up');
    }
  }

  const job = (times: TickTimes): JobKind => {
    moverOf = times.mover;
    return defineJob({
      ...TICK,
      commits: 'steps',
      waitsOutside: true,
      async run({ now }) {
        if (!running) return undefined;
        const at = now();
        if (notBefore !== undefined && notBefore > at) return { againAt: notBefore };
        const movingTo = moverOf()?.movingTo();
        const againAt = await nextTick(at, movingTo, times);
        await tick(at, movingTo !== undefined && movingTo > at, againAt, times.jobsDone());
        return { againAt };
      },
    });
  };

  const resume = async () => {
    // After the clock was set back, the pause no longer applies.
    if (notBefore !== undefined && notBefore > ctx.now()) notBefore = ctx.now();
    if (running) await enqueueJobs(ctx, TICK, NO_PROFILE, [{ payload: {}, key: 'only' }]);
  };

  const read = (): SimulatorState => ({
    running,
    speed,
    seed,
    ...(lastTick !== undefined && { lastTick }),
    ...(lastError !== undefined && { lastError }),
  });

  async function change(to: SimulatorChange): Promise<SimulatorState> {
    speed = to.speed ?? speed;
    if (to.running === true && !running) {
      running = true;
      // Time in a pause is not simulated later.
      notBefore = ctx.now();
      await resume();
    }
    if (to.running === false) {
      running = false;
      await end();
    }
    if (to.speed !== undefined && running) await (await started()).ask({ speed }, ANSWER_MS);
    return read();
  }

  return {
    operatorKey,
    job,
    read,
    change,
    async standStill(until) {
      if (!running) return;
      notBefore = until;
      await (await started()).ask({ skip: { until: until.toISOString() } }, ANSWER_MS);
    },
    resume,
    async begin(at, before) {
      url = at;
      running = before?.running ?? startsRunning;
      speed = before?.speed ?? speed;
      await resume();
      // Faster time needs the process to run even before the first tick.
      if (running && speed > 1)
        sleep(0)
          .then(started)
          .catch(() => {});
    },
    async stop() {
      running = false;
      await end();
    },
  };
}
