import type { Ctx } from '../../../platform/context/context.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import type { Loop } from '../../../platform/health/health.ts';
import { keepTrying } from '../../../platform/lanes/sweeper.ts';
import type { EndedAttempt } from './ended-attempt.ts';
import type { LeasedLane } from './lane.ts';
import { recordAttempts } from './sql-attempts.ts';

const FLUSH_MS = 10;
const FLUSH_SIZE = 500;
const RETRY_MS = [200, 5_000] as const;
/** When the process ends, what cannot be written by then is left to whoever takes the lane over. */
const GIVE_UP_MS = 5_000;
/** A profile that meets a lock holds up the others only when this many do. */
const PROFILES_AT_ONCE = 4;

export interface Recorder {
  add(ended: EndedAttempt): void;
  /** From now on nothing is tried for longer than a few seconds: the process is stopping. */
  hurry(): void;
}

interface RecorderDeps {
  /** Hears whether what was sent can be written. */
  readonly loop: Loop;
  /** Whether the lane is still held by the lease that this was sent under: otherwise another's attempts count. */
  readonly isHeld: (lane: LeasedLane) => boolean;
  /** Called when these are written, or are another's. */
  readonly onSettled: (ended: readonly EndedAttempt[]) => void;
  readonly giveUpMs?: number;
}

interface Writer {
  readonly waiting: EndedAttempt[];
  isWriting: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Writes what was sent in batches: while one is being written the next gathers, so the busier the
 * worker, the fewer the commits for each message. What cannot be written is tried for as long as the
 * lane is ours: until then it is not known to have been sent, and would be sent again.
 */
export function createRecorder(
  { db, log }: Ctx,
  { loop, isHeld, onSettled, giveUpMs = GIVE_UP_MS }: RecorderDeps,
): Recorder {
  /** By profile, for as long as it has something to write. */
  const writers = new Map<string, Writer>();
  const turns = concurrencyLimit(PROFILES_AT_ONCE);
  let hurried = false;

  const write = async (ecpdId: string, waiting: EndedAttempt[]) => {
    const startedAt = performance.now();
    let batch: readonly EndedAttempt[] = [];
    let left = batch;
    const takeAndRecord = () => {
      // Taken when it is its turn, and not before: what comes while others write is written with it.
      if (batch.length === 0) left = batch = waiting.splice(0, FLUSH_SIZE);
      return recordAttempts(db, ecpdId, left);
    };
    await keepTrying(
      () => turns.run(takeAndRecord),
      RETRY_MS,
      loop,
      (err) => {
        log.error({ err, count: left.length }, 'could not record callback attempts');
        left = left.filter(({ lane }) => isHeld(lane));
        return left.length > 0 && !(hurried && performance.now() > startedAt + giveUpMs);
      },
    );
    return batch;
  };

  const flush = async (ecpdId: string, writer: Writer) => {
    clearTimeout(writer.timer);
    writer.timer = undefined;
    if (writer.isWriting) return;
    writer.isWriting = true;
    while (writer.waiting.length > 0) {
      onSettled(await write(ecpdId, writer.waiting));
    }
    writers.delete(ecpdId);
  };

  return {
    add(ended) {
      const { ecpdId } = ended.lane;
      const writer = writers.get(ecpdId) ?? { waiting: [], isWriting: false, timer: undefined };
      writers.set(ecpdId, writer);
      writer.waiting.push(ended);
      if (writer.waiting.length >= FLUSH_SIZE) void flush(ecpdId, writer);
      else if (!writer.isWriting) writer.timer ??= setTimeout(() => void flush(ecpdId, writer), FLUSH_MS);
    },
    hurry() {
      hurried = true;
    },
  };
}
