import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, LinekeeperError, type OperatorRoute } from '../sdk/index.ts';

const STEP_MS = 1_000;
const MOVE_MS = 120_000;

/**
 * Lets the sandbox's time run `speed` times as fast, by moving its clock every second by what is missing. While somebody
 * else moves it, or a move takes longer than its step, nothing is made up for.
 */
export function createPace(operator: Caller<OperatorRoute>, onError: (error: unknown) => void) {
  let speed = 1;
  let stopping: AbortController | undefined;

  async function run(signal: AbortSignal): Promise<void> {
    let before = performance.now();
    let owedMs = 0;
    while (!signal.aborted) {
      await sleep(STEP_MS, undefined, { signal });
      owedMs += (speed - 1) * Math.min(performance.now() - before, 2 * STEP_MS);
      before = performance.now();
      // Durations are in whole seconds.
      const seconds = Math.floor(owedMs / 1_000);
      owedMs -= 1_000 * seconds;
      try {
        await operator.call('POST /operator/v1/clock', {
          body: { advance: `PT${seconds}S` },
          signal,
          timeoutMs: MOVE_MS,
        });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof LinekeeperError && error.status === 409)) onError(error);
      }
    }
  }

  return {
    set(wanted: number): void {
      speed = wanted;
      if (speed > 1 && stopping === undefined) {
        stopping = new AbortController();
        run(stopping.signal).catch(() => {});
      }
      if (speed <= 1) {
        stopping?.abort();
        stopping = undefined;
      }
    },
  };
}
