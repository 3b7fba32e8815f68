import { setTimeout as sleep } from 'node:timers/promises';
import type { Loop } from '../health/health.ts';

/** Repeats a sweep for work: one at a time, soon after a notice, and at a regular interval. */
export interface Sweeper {
  /** Starts regular sweeps. Has no effect after `stop`. */
  start(): void;
  /** Requests a sweep because work may have become due. Has no effect before `start` and after `stop`. */
  soon(): void;
  /** Runs one sweep for the caller, even before `start`, and returns what it found. */
  sweep(): Promise<number>;
  /** Ends regular sweeps and waits for the one in progress. */
  stop(): Promise<void>;
}

interface SweeperOptions {
  readonly find: () => Promise<number>;
  /** Receives the result of each sweep. */
  readonly loop: Loop;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
  /** Delay of the first sweep after `start`. */
  readonly firstMs?: number;
  /** While this returns false, the sweeper rests until it is started again. */
  readonly isNeeded?: () => boolean;
}

const SWEEP_MS = 500;

export function createSweeper(options: SweeperOptions): Sweeper {
  const { find, loop, onError, everyMs = SWEEP_MS, firstMs = 0, isNeeded = () => true } = options;
  let state: 'resting' | 'working' | 'stopped' = 'resting';
  let sweeping = false;
  let noticed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);

  const sweep = (): Promise<number> => {
    running = running.then(find).then(
      (found) => {
        loop.passed();
        return found;
      },
      (error: unknown) => {
        loop.failed(error);
        onError(error);
        return 0;
      },
    );
    return running;
  };

  const sweepIn = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      sweeping = true;
      noticed = false;
      await sweep();
      sweeping = false;
      if (state === 'stopped') return;
      if (!isNeeded()) {
        state = 'resting';
        return void loop.rest();
      }
      // A notice that arrived during this sweep may have been too late for it.
      sweepIn(noticed ? 0 : everyMs);
    }, delayMs);
  };

  return {
    sweep,
    start() {
      if (state !== 'resting') return;
      state = 'working';
      loop.begin();
      sweepIn(firstMs);
    },
    soon() {
      noticed = true;
      if (state === 'working' && !sweeping) sweepIn(0);
    },
    async stop() {
      state = 'stopped';
      clearTimeout(timer);
      await running;
      loop.rest();
    },
  };
}

/** Repeats a write until it succeeds, so that finished work is not done twice because the database was down. */
export async function keepTrying(
  write: () => Promise<unknown>,
  /** Delays in milliseconds: the first is doubled after each failure, up to the second. */
  [firstMs, maxMs]: readonly [number, number],
  loop: Loop,
  /** Called with each error; returns whether to try again. */
  shouldRetry: (error: unknown) => boolean,
): Promise<boolean> {
  for (let restMs = firstMs; ; restMs = Math.min(2 * restMs, maxMs)) {
    try {
      await write();
      loop.passed();
      return true;
    } catch (error) {
      loop.failed(error);
      if (!shouldRetry(error)) return false;
    }
    await sleep(restMs);
  }
}
