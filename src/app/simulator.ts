import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Simulator, SimulatorChange, SimulatorState } from '../features/operator/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Ctx } from '../platform/context/context.ts';
import { randomToken } from '../platform/crypto/token.ts';
import { enqueueJobs } from '../platform/jobs/enqueue.ts';
import { defineJob, type JobKind, NO_PROFILE } from '../platform/jobs/job.ts';
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts';

/** Of domain time, while the clock goes by itself. */
const TICK_MS = 30_000;
const HOUR_MS = 3_600_000;
/** While it is moved; where it is still far from its end fewer do: a month has seven hundred hours. */
const PASSING_MS = HOUR_MS;
const FAR_MS = 72 * HOUR_MS;
const PASSING_FAR_MS = 3 * HOUR_MS;

function untilNext(leftMs: number): number {
  if (leftMs <= 0) return TICK_MS;
  return Math.min(leftMs > FAR_MS ? PASSING_FAR_MS : PASSING_MS, leftMs);
}
const ANSWER_MS = 120_000;
const TICK = { kind: 'simulator.tick', schema: Type.Object({}), attemptsMax: 100 };

type SimulatorSettings = Pick<Settings, 'simulator' | 'simulatorSeed' | 'simulatorSpeed' | 'dataDir'>;

export interface HostedSimulator extends Simulator {
  /** What its process proves itself with. */
  readonly operatorKey: string;
  /** Its ticks, as a job: who moves the clock stops at each and waits for it. */
  job(movingTo: () => Date | undefined): JobKind;
  /** From now on it can be started, and is where the settings say so. */
  begin(url: string): Promise<void>;
  /** Puts its job back, after what has emptied the domain. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The living fleet beside the service: a process that is started with the first tick, started again when it has died,
 * and asked by a job at each tick. It knows by itself until when it has sent everything.
 */
export function hostSimulator(
  ctx: Ctx,
  { simulator: startsRunning, simulatorSeed: seed, simulatorSpeed, dataDir }: SimulatorSettings,
): HostedSimulator {
  const operatorKey = randomToken();
  let url: string | undefined;
  let running = false;
  let speed = simulatorSpeed;
  let notBefore: Date | undefined;
  let lastTick: string | undefined;
  let lastError: string | undefined;
  let process: Promise<SimulatorProcess> | undefined;

  async function started(): Promise<SimulatorProcess> {
    const known = await process?.catch(() => undefined);
    if (known?.alive) return known;
    process = startSimulatorProcess(
      {
        LINEKEEPER_URL: url ?? '',
        LINEKEEPER_OPERATOR_KEY: operatorKey,
        LINEKEEPER_SIMULATOR_SEED: seed,
        LINEKEEPER_SIMULATOR_SPEED: String(speed),
        LINEKEEPER_SIMULATOR_MEMORY: join(dataDir, 'simulator.json'),
      },
      ctx.log,
    );
    return process;
  }

  async function end(): Promise<void> {
    const ending = process;
    process = undefined;
    await (await ending?.catch(() => undefined))?.end();
  }

  /** A tick that fails is made up for by the next one: it would hold up the clock to try again and again. */
  async function tick(until: Date, passing: boolean): Promise<void> {
    try {
      const since = notBefore?.toISOString();
      await (await started()).ask({ tick: { until: until.toISOString(), passing, since } }, ANSWER_MS);
      [lastTick, lastError] = [until.toISOString(), undefined];
    } catch (error) {
      if (!running) return;
      lastError = (error as Error).message;
      ctx.log.warn({ err: error }, 'the simulator has not lived through this tick; the next one catches up');
    }
  }

  const job = (movingTo: () => Date | undefined): JobKind =>
    defineJob({
      ...TICK,
      commits: 'steps',
      waitsOutside: true,
      async run({ now }) {
        if (!running) return undefined;
        const at = now();
        const leftMs = (movingTo()?.getTime() ?? 0) - at.getTime();
        await tick(at, leftMs > 0);
        return { againAt: new Date(at.getTime() + untilNext(leftMs)) };
      },
    });

  const resume = async () => {
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
      // What a fleet that stood still would have done is not made up for.
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
    resume,
    async begin(at) {
      url = at;
      running = startsRunning;
      await resume();
      // Time that is to run faster needs somebody who moves it, before any tick.
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
