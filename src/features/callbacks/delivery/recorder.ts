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
/** Time limit when the process stops: the worker that takes the lane over repeats what was not recorded by then. */
const GIVE_UP_MS = 5_000;
/** A profile that waits for a lock delays the others only when this many do. */
const PROFILES_AT_ONCE = 4;

export interface Recorder {
  add(ended: EndedAttempt): void;
  /** The process is stopping: from now on, writes are retried for a few seconds only. */
  hurry(): void;
}

interface RecorderDeps {
  /** Reports whether attempts can be recorded. */
  readonly loop: Loop;
  /** Whether this lease still holds the lane: otherwise the attempts of the new holder count. */
  readonly isHeld: (lane: LeasedLane) => boolean;
  /** Called when these are recorded, or the lane has passed to another worker. */
  readonly onSettled: (ended: readonly EndedAttempt[]) => void;
  readonly giveUpMs?: number;
}

interface Writer {
  readonly waiting: EndedAttempt[];
  isWriting: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Records attempts in batches. While one batch is written the next one gathers, so a busier worker needs fewer
 * commits per message. A failed write is retried while the lane is ours: an attempt that is not recorded counts as
 * not sent, and the message would be sent again.
 */
export function createRecorder(
  { db, log }: Ctx,
  { loop, isHeld, onSettled, giveUpMs = GIVE_UP_MS }: RecorderDeps,
): Recorder {
  /** By profile, while it has attempts to record. */
  const writers = new Map<string, Writer>();
  const slots = concurrencyLimit(PROFILES_AT_ONCE);
  let hurried = false;

  const write = async (ecpdId: string, waiting: EndedAttempt[]) => {
    const startedAt = performance.now();
    let batch: readonly EndedAttempt[] = [];
    let left = batch;
    const takeAndRecord = () => {
      // Taken only now, so that attempts that arrived while others were writing join the batch.
      if (batch.length === 0) left = batch = waiting.splice(0, FLUSH_SIZE);
      return recordAttempts(db, ecpdId, left);
    };
    await keepTrying(
      () => slots.run(takeAndRecord),
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
