import type { Turnstile } from '../turnstile.ts';
import { FellSilent } from './body-stream.ts';
import { FeedError } from './record-lines.ts';
import {
  type ReadOne,
  type ReadRecord,
  type RecordBatch,
  type RejectedRecord,
  readRecords,
} from './record-stream.ts';

/** What commits at once, in each profile. */
const BATCH = { recordsMax: 5_000, charsMax: 4 * 1024 * 1024 };
/** As many of the rejected records are named; all are counted. */
export const REJECTED_MAX = 1_000;

/** What became of records: how many had which outcome; an outcome that is not named had none. */
export interface Outcomes<O extends string> {
  readonly counts: Readonly<Partial<Record<O, number>>>;
  readonly rejected: readonly RejectedRecord[];
}

/** What is a feed's own. */
export interface Feed<T, Known, Part, O extends string> {
  /** What its answer counts, beside what was rejected. */
  readonly outcomes: readonly O[];
  readonly read: ReadOne<T>;
  /** Shared by all feeds of a process, so that they leave connections to others. */
  readonly turns: Turnstile;
  /** What is known about the records of a batch; asked while the batch before is written. */
  lookUp(records: readonly ReadRecord<T>[]): Promise<Known>;
  /** What of a batch is to be written, by profile: each part is a transaction of its own. */
  judge(
    records: readonly ReadRecord<T>[],
    known: Known,
  ): Outcomes<O> & { readonly parts: ReadonlyMap<string, Part> };
  write(ecpdId: string, part: Part, known: Known): Promise<Outcomes<O>>;
  /** Told of every batch that was written. */
  watch?(counts: Readonly<Record<O | 'rejected', number>>, seconds: number): void;
}

export type Taken<O extends string> = Record<O, number> & {
  rejectedTotal: number;
  rejected: RejectedRecord[];
  /** Set where the body could not be read to its end: completes "The body …". */
  brokenBecause?: string;
  /** Set with it where the sender fell silent. */
  fellSilent?: true;
};

/**
 * Takes a feed batch by batch. While one batch is written the next is read and looked up, and no more: that is all the
 * memory a feed needs, whatever its length. Batches are written in the order of the feed. What was committed when a feed
 * breaks off stays.
 */
export async function takeFeed<T, Known, Part, O extends string>(
  bytes: AsyncIterable<Buffer>,
  feed: Feed<T, Known, Part, O>,
): Promise<Taken<O>> {
  const { outcomes, turns } = feed;
  const count = (of: (outcome: O) => number) =>
    Object.fromEntries(outcomes.map((outcome) => [outcome, of(outcome)])) as Record<O, number>;
  let totals = count(() => 0);
  const rejected: RejectedRecord[] = [];
  let rejectedTotal = 0;

  const write = async (batch: RecordBatch<T>, known: Known) => {
    const startedMs = performance.now();
    const judged = feed.judge(batch.records, known);
    const written = await Promise.all(
      [...judged.parts].map(([ecpdId, part]) => turns.pass(() => feed.write(ecpdId, part, known))),
    );
    const all = [judged, ...written];
    const lost = [...batch.rejected, ...all.flatMap((some) => some.rejected)];
    rejectedTotal += lost.length;
    rejected.push(...lost.sort((a, b) => a.line - b.line).slice(0, REJECTED_MAX - rejected.length));
    const counts = count((outcome) => all.reduce((sum, some) => sum + (some.counts[outcome] ?? 0), 0));
    totals = count((outcome) => totals[outcome] + counts[outcome]);
    feed.watch?.({ ...counts, rejected: lost.length }, (performance.now() - startedMs) / 1_000);
  };

  let brokenBecause: string | undefined;
  let fellSilent = false;
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of readRecords(bytes, feed.read, BATCH)) {
      const known = await turns.pass(() => feed.lookUp(batch.records));
      await writing;
      writing = write(batch, known);
      // Awaited one batch later, or at the end; until then a failure must not end the process.
      writing.catch(() => {});
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    brokenBecause = error.message;
    fellSilent = error instanceof FellSilent;
  }
  await writing;
  return {
    ...totals,
    rejectedTotal,
    rejected,
    ...(brokenBecause !== undefined && { brokenBecause }),
    ...(fellSilent && { fellSilent }),
  };
}
