import { setTimeout as sleep } from 'node:timers/promises';
import type { Loop } from '../health/health.ts';

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
