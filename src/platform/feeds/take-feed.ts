import { FeedError, FellSilent } from '../http/body-stream.ts';
import { batchTaker, type Feed, type Outcomes, tallyOf } from './feed.ts';
import { parseRecords, type RecordBatch, type RejectedRecord } from './parse-records.ts';

/** What commits at once, in each profile. */
export const BATCH = { recordsMax: 5_000, charsMax: 4 * 1024 * 1024 };
/** As many of the rejected records are named; all are counted. */
export const REJECTED_MAX = 1_000;

export type Taken<O extends string> = Record<O, number> & {
  rejectedTotal: number;
  rejected: RejectedRecord[];
  /** Set where the body could not be read to its end: completes "The body …". */
  brokenBecause?: string;
  /** Set with it where the sender fell silent. */
  fellSilent?: true;
};

/** The feed ended before its body did, for a reason that is neither a record's nor the body's. */
export class FeedInterrupted extends Error {
  /** What was committed until then, and stays. */
  readonly taken: Taken<string>;
  constructor(taken: Taken<string>, cause: unknown) {
    super('The feed was interrupted', { cause });
    this.taken = taken;
  }
}

/** What became of a batch, once it is committed. */
export interface WrittenBatch<O extends string> extends Outcomes<O> {
  /** The last that it holds. */
  readonly line: number;
}

const lastLineOf = ({ records, rejected }: RecordBatch<unknown>): number =>
  Math.max(records.at(-1)?.line ?? 0, rejected.at(-1)?.line ?? 0);

/** Takes what a body holds. */
export const takeFeed = <T, Known, Item extends { readonly line: number }, O extends string>(
  bytes: AsyncIterable<Buffer>,
  feed: Feed<T, Known, Item, O>,
): Promise<Taken<O>> => takeBatches(parseRecords(bytes, feed.parse, BATCH), feed);

/**
 * Takes a feed batch by batch. While one batch is written the next is read and looked up, and no more: that is all the
 * memory a feed needs, whatever its length. Batches are written in the order of the feed. What was committed when a feed
 * breaks off stays, and is counted. A record that cannot be taken is rejected, and stops no other.
 */
export async function takeBatches<T, Known, Item extends { readonly line: number }, O extends string>(
  batches: AsyncIterable<RecordBatch<T>>,
  feed: Feed<T, Known, Item, O>,
  /** Awaited before the next is written. */
  onWritten: (batch: WrittenBatch<O>) => Promise<void> | undefined = () => undefined,
): Promise<Taken<O>> {
  const { lookUp, write } = batchTaker(feed);
  const whole = tallyOf(feed.outcomes);
  let rejectedTotal = 0;
  const add = ({ counts, rejected }: Outcomes<O>) => {
    rejectedTotal += rejected.length;
    whole.add({ counts, rejected: rejected.slice(0, REJECTED_MAX - whole.rejected.length) });
  };
  const taken = () => ({ ...whole.counts(), rejectedTotal, rejected: whole.rejected });

  let brokenBecause: string | undefined;
  let fellSilent = false;
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      const found = await lookUp(batch);
      await writing;
      writing = writeAndReport(found, lastLineOf(batch));
      // Awaited one batch later, or at the end; until then a failure must not end the process.
      writing.catch(() => {});
    }
  } catch (error) {
    // What is still being written is part of what was taken.
    if (!(error instanceof FeedError)) throw await writing.catch(() => {}).then(() => interrupted(error));
    brokenBecause = error.message;
    fellSilent = error instanceof FellSilent;
  }
  await writing.catch((error) => {
    throw interrupted(error);
  });
  return {
    ...taken(),
    ...(brokenBecause !== undefined && { brokenBecause }),
    ...(fellSilent && { fellSilent }),
  };

  async function writeAndReport(found: Awaited<ReturnType<typeof lookUp>>, line: number): Promise<void> {
    let written: Outcomes<O> | undefined;
    await write(found, (outcomes) => {
      add(outcomes);
      written = outcomes;
    });
    if (written !== undefined) await onWritten({ ...written, line });
  }

  function interrupted(cause: unknown): FeedInterrupted {
    return new FeedInterrupted(taken(), cause);
  }
}
