import { setTimeout as sleep } from 'node:timers/promises';
import type { Loop } from '../health/health.ts';

/** Looks for work again and again: one look at a time, soon on a notice, and every so often without one. */
export interface Sweeper {
  /** From now on it looks by itself. Nothing happens after the stop. */
  start(): void;
  /** Something may have come up. Nothing happens before the start and after the stop. */
  soon(): void;
  /** One look of the caller's own, also before the start; answers what it found. */
  look(): Promise<number>;
  /** Looks no more by itself; waits for the look that is under way. */
  stop(): Promise<void>;
}

interface SweeperOptions {
  readonly find: () => Promise<number>;
  /** Hears how each look ends. */
  readonly loop: Loop;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
  /** After the start. */
  readonly firstMs?: number;
  /** Where there is no need for another look, it rests until it is started again. */
  readonly isNeeded?: () => boolean;
}

const SWEEP_MS = 500;

export function createSweeper(options: SweeperOptions): Sweeper {
  const { find, loop, onError, everyMs = SWEEP_MS, firstMs = 0, isNeeded = () => true } = options;
  let state: 'resting' | 'working' | 'stopped' = 'resting';
  let sweeping = false;
  let noticed = false;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<number> = Promise.resolve(0);

  const look = (): Promise<number> => {
    turn = turn.then(find).then(
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
    return turn;
  };

  const sweepIn = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      sweeping = true;
      noticed = false;
      await look();
      sweeping = false;
      if (state === 'stopped') return;
      if (!isNeeded()) {
        state = 'resting';
        return void loop.rest();
      }
      // What a notice told while this look was under way may have come too late for it.
      sweepIn(noticed ? 0 : everyMs);
    }, delayMs);
  };

  return {
    look,
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
      await turn;
      loop.rest();
    },
  };
}

/** What was done and is not known to have been done is done again: so it is written, also when the database was away. */
export async function keepTrying(
  write: () => Promise<unknown>,
  /** Doubled after each failure, up to the second. */
  [firstMs, maxMs]: readonly [number, number],
  loop: Loop,
  /** Told of each failure; answers whether to go on. */
  goesOn: (error: unknown) => boolean,
): Promise<boolean> {
  for (let restMs = firstMs; ; restMs = Math.min(2 * restMs, maxMs)) {
    try {
      await write();
      loop.passed();
      return true;
    } catch (error) {
      loop.failed(error);
      if (!goesOn(error)) return false;
    }
    await sleep(restMs);
  }
}
