import { FeedError, FellSilent } from '../http/body-stream.ts';
import { batchTaker, type Feed, type Outcomes, tallyOf } from './feed.ts';
import { parseRecords, type RecordBatch, type RejectedRecord } from './parse-records.ts';

/** The size of a batch, which commits at once for each profile. */
export const BATCH = { recordsMax: 5_000, charsMax: 4 * 1024 * 1024 };
/** At most this many rejected records are named; all are counted. */
export const REJECTED_MAX = 1_000;

export type Taken<O extends string> = Record<O, number> & {
  rejectedTotal: number;
  rejected: RejectedRecord[];
  /** Set if the body could not be read to its end: completes "The body …". */
  brokenBecause?: string;
  /** Also set if the sender stopped sending. */
  fellSilent?: true;
};

/** The feed ended before its body did, for a reason other than a record or the body. */
export class FeedInterrupted extends Error {
  /** The records committed before that, which stay. */
  readonly taken: Taken<string>;
  constructor(taken: Taken<string>, cause: unknown) {
    super('The feed was interrupted', { cause });
    this.taken = taken;
  }
}

/** The outcomes of a batch after it was committed. */
export interface WrittenBatch<O extends string> extends Outcomes<O> {
  /** Its last line. */
  readonly line: number;
}

const lastLineOf = ({ records, rejected }: RecordBatch<unknown>): number =>
  Math.max(records.at(-1)?.line ?? 0, rejected.at(-1)?.line ?? 0);

/** Takes all records of a body. */
export const takeFeed = <T, Known, Item extends { readonly line: number }, O extends string>(
  bytes: AsyncIterable<Buffer>,
  feed: Feed<T, Known, Item, O>,
): Promise<Taken<O>> => takeBatches(parseRecords(bytes, feed.parse, { ...BATCH, ...feed.share.sizes }), feed);

/**
 * Takes a feed batch by batch. While one batch is written, only the next is read and looked up, so memory is bounded whatever
 * the length of the feed. Batches are written in the order of the feed. Batches committed before a feed breaks off stay, and
 * are counted. A record that fails is rejected, and stops no other.
 */
export async function takeBatches<T, Known, Item extends { readonly line: number }, O extends string>(
  batches: AsyncIterable<RecordBatch<T>>,
  feed: Feed<T, Known, Item, O>,
  /** Awaited before the next batch is written. */
  onWritten: (batch: WrittenBatch<O>) => Promise<void> | undefined = () => undefined,
): Promise<Taken<O>> {
  const { lookUp, write } = batchTaker(feed);
  const { rejectedMax = Infinity } = feed.share.sizes ?? {};
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
      if (rejectedTotal > rejectedMax) break;
      writing = writeAndReport(found, lastLineOf(batch));
      // Awaited one batch later, or at the end; until then a failure must not end the process.
      writing.catch(() => {});
    }
  } catch (error) {
    // The batch that is still being written counts as taken.
    if (!(error instanceof FeedError)) throw await writing.catch(() => {}).then(() => interrupted(error));
    brokenBecause = error.message;
    fellSilent = error instanceof FellSilent;
  }
  await writing.catch((error) => {
    throw interrupted(error);
  });
  if (rejectedTotal > rejectedMax) brokenBecause = `has more than ${rejectedMax} rejected records`;
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
