import type { Loop } from '../health/health.ts';

/** Looks for work again and again: one look at a time, soon on a notice, and every so often without one. */
export interface Sweeper {
  /** From now on it looks by itself, at once and then every `everyMs`. */
  start(): void;
  /** Something may have come up. Nothing happens before the start and after the stop. */
  soon(): void;
  /** One look of the caller's own, also before the start; answers what it found. */
  look(): Promise<number>;
  /** Looks no more by itself; waits for the look that is under way. */
  stop(): Promise<void>;
}

export interface SweeperOptions {
  readonly find: () => Promise<number>;
  /** Hears how each look ends. */
  readonly loop: Loop;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

const SWEEP_MS = 500;

export function createSweeper({ find, loop, onError, everyMs = SWEEP_MS }: SweeperOptions): Sweeper {
  let working = false;
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
      // What a notice told while this look was under way may have come too late for it.
      if (working) sweepIn(noticed ? 0 : everyMs);
    }, delayMs);
  };

  return {
    look,
    start() {
      working = true;
      loop.begin();
      sweepIn(0);
    },
    soon() {
      noticed = true;
      if (working && !sweeping) sweepIn(0);
    },
    async stop() {
      working = false;
      clearTimeout(timer);
      await turn;
      loop.rest();
    },
  };
}
