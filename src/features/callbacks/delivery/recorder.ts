import type { Ctx } from '../../../platform/context.ts';
import { type EndedAttempt, recordAttempts } from './sql-lane.ts';

const FLUSH_MS = 10;
const FLUSH_SIZE = 500;
const RETRY_MS = 200;
/** A lease is over by then, and the messages are another worker's. */
const GIVE_UP_MS = 5_000;

export interface Recorder {
  add(ended: EndedAttempt): void;
  /** Resolves when all that was added so far is written, or given up. */
  drained(): Promise<void>;
}

/**
 * Writes what was sent in batches: while one is being written the next gathers, so the busier the
 * worker, the fewer the commits for each message.
 */
export function createRecorder(
  { db, log }: Ctx,
  onRecorded: (ended: readonly EndedAttempt[]) => void,
): Recorder {
  const waiting: EndedAttempt[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const writeProfile = async (ecpdId: string, ended: readonly EndedAttempt[]) => {
    const until = performance.now() + GIVE_UP_MS;
    for (;;) {
      try {
        await recordAttempts(db, ecpdId, ended);
        return;
      } catch (error) {
        log.error({ err: error, count: ended.length }, 'could not record callback attempts');
        if (performance.now() > until) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };

  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, FLUSH_SIZE);
      const byProfile = Map.groupBy(batch, ({ lane }) => lane.ecpdId);
      await Promise.all([...byProfile].map(([ecpdId, ended]) => writeProfile(ecpdId, ended)));
      onRecorded(batch);
    }
    writing = undefined;
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll();
  };

  return {
    add(ended) {
      waiting.push(ended);
      if (waiting.length >= FLUSH_SIZE) flush();
      else if (writing === undefined) timer ??= setTimeout(flush, FLUSH_MS);
    },
    async drained() {
      while (waiting.length > 0 || writing !== undefined) {
        flush();
        await writing;
      }
    },
  };
}
