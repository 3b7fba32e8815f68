import type { Body, Caller, OperatorRoute } from '../sdk/index.ts';
import { real } from './real-time.ts';

/** The sandbox's clock. Each function returns the new time as ISO 8601. */
export interface SandboxClock {
  now(): Promise<string>;
  /** Advances by an ISO 8601 duration such as `P30D`. Everything due along the way is done when it resolves. */
  advance(duration: string): Promise<string>;
  /** Advances to a time, in the same way. */
  set(time: string | Date): Promise<string>;
  /** Freezes time between moves. */
  freeze(): Promise<string>;
  unfreeze(): Promise<string>;
}

const DURATION = /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/i;
const MOVE_MAX_MS = 15 * 60_000;
const LOOK_MS = 250;

function checkDuration(duration: string): string {
  if (typeof duration === 'string' && DURATION.test(duration)) return duration;
  throw new TypeError(
    `${JSON.stringify(duration)} is not an ISO 8601 duration. Thirty days are P30D, a month is P1M, five minutes are PT5M, a day and a half is P1DT12H.`,
  );
}

function checkTime(time: string | Date): string {
  const parsed = new Date(time);
  if (!Number.isNaN(parsed.getTime())) return parsed.toISOString();
  throw new TypeError(`${JSON.stringify(time)} is not a time such as 2026-12-01T08:00:00Z.`);
}

export function createClock(operator: Caller<OperatorRoute>): SandboxClock {
  const look = () => operator.call('GET /operator/v1/clock');

  /** Polls a move that takes longer than the service delays its answer. */
  async function follow(limitAt: number): Promise<string> {
    let goal: string | undefined;
    for (;;) {
      const { now, movingTo } = await look();
      if (movingTo === undefined) {
        if (goal === undefined || now >= goal) return now;
        throw new Error(`The clock stopped at ${now}, before it reached ${goal}.`);
      }
      goal = movingTo;
      if (real.now() > limitAt)
        throw new Error(
          `The clock is still at ${now} on its way to ${goal} after ${MOVE_MAX_MS / 60_000} minutes.`,
        );
      await real.sleep(LOOK_MS);
    }
  }

  async function post(body: Body<'POST /operator/v1/clock'>): Promise<string> {
    const limitAt = real.now() + MOVE_MAX_MS;
    const answer = await operator.request('POST /operator/v1/clock', { body, timeoutMs: MOVE_MAX_MS });
    return answer.status === 202 ? follow(limitAt) : answer.data.now;
  }

  return {
    now: async () => (await look()).now,
    advance: async (duration) => post({ advance: checkDuration(duration) }),
    set: async (time) => post({ set: checkTime(time) }),
    freeze: () => post({ freeze: true }),
    unfreeze: () => post({ freeze: false }),
  };
}
