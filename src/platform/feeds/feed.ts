import type { Ctx } from '../context/context.ts';
import type { ConcurrencyLimit } from '../flow-control/limits.ts';
import { isAboutData, loggedError } from '../telemetry/log.ts';
import type { ParsedRecord, ParseRecord, RecordBatch, RejectedRecord } from './parse-records.ts';

/** What became of records: how many had which outcome; an outcome that is not named had none. */
export interface Outcomes<O extends string> {
  readonly counts: Readonly<Partial<Record<O, number>>>;
  readonly rejected: readonly RejectedRecord[];
}

export const FEED_NAMES = ['usage', 'positions', 'readings'] as const;
export type FeedName = (typeof FEED_NAMES)[number];

/** What all feeds of a process share. */
export interface FeedShare {
  /** Leaves connections to others. */
  readonly limit: ConcurrencyLimit;
  /** How far ahead of the clock records may be dated. */
  readonly aheadMs: number;
  readonly countGivenUp: (feed: FeedName, count: number) => void;
  /** Told of each batch: how many records were taken, or known before, and which were not. */
  readonly noteBatch?: (feed: FeedName, taken: number, rejected: readonly RejectedRecord[]) => void;
}

/** What is a feed's own. */
export interface Feed<T, Known, Item extends { readonly line: number }, O extends string> {
  readonly name: FeedName;
  readonly ctx: Pick<Ctx, 'newId' | 'log'>;
  readonly share: Pick<FeedShare, 'limit' | 'countGivenUp' | 'noteBatch'>;
  /** What its answer counts, beside what was rejected. */
  readonly outcomes: readonly O[];
  readonly parse: ParseRecord<T>;
  /**
   * In which order the records of a batch are worked, where it is not that of the feed. Where a batch is halved the first
   * half commits before the second: what depends on an order must not depend on that.
   */
  compare?(a: NoInfer<T>, b: NoInfer<T>): number;
  /** What is known about the records of a batch; called while the batch before is written. */
  lookUp(records: readonly ParsedRecord<T>[]): Promise<Known>;
  /** What of a batch is to be written, by profile. */
  evaluate(
    records: readonly ParsedRecord<T>[],
    known: Known,
  ): Outcomes<O> & { readonly parts: ReadonlyMap<string, readonly Item[]> };
  /** In a transaction of its own; called again with fewer of the same where their data make it fail. */
  write(ecpdId: string, items: readonly Item[], known: Known): Promise<Outcomes<O>>;
  /** Called after every batch that was written. */
  measure?(counts: Readonly<Record<O | 'rejected', number>>, seconds: number): void;
}

/** Adds up what became of records. */
export function tallyOf<O extends string>(outcomes: readonly O[]) {
  const count = (of: (outcome: O) => number) =>
    Object.fromEntries(outcomes.map((outcome) => [outcome, of(outcome)])) as Record<O, number>;
  let counts = count(() => 0);
  const rejected: RejectedRecord[] = [];
  const reject = (some: readonly RejectedRecord[]) => {
    for (const one of some) rejected.push(one);
  };
  return {
    add(some: Outcomes<O>) {
      counts = count((outcome) => counts[outcome] + (some.counts[outcome] ?? 0));
      reject(some.rejected);
    },
    reject,
    counts: () => counts,
    rejected,
  };
}

/** A batch with what is known about its records: of all together, but where some could not be looked up. */
interface FoundBatch<T, Known> {
  readonly rejected: readonly RejectedRecord[];
  readonly givenUp: GivenUp;
  readonly pieces: readonly { readonly records: readonly ParsedRecord<T>[]; readonly known: Known }[];
}

/** The two halves of the work on a batch, which are done for different batches at the same time. */
export function batchTaker<T, Known, Item extends { readonly line: number }, O extends string>(
  feed: Feed<T, Known, Item, O>,
) {
  const { name, ctx, share } = feed;

  const giveUp = ({ line }: { readonly line: number }, error: Error): RejectedRecord => {
    const reference = ctx.newId();
    share.countGivenUp(name, 1);
    const cause = loggedError(error);
    ctx.log.error({ reference, feed: name, line, cause }, 'gave up a record that could not be taken');
    return { line, reason: `could not be taken; the log has more under ${reference}` };
  };

  return {
    async lookUp(batch: RecordBatch<T>): Promise<FoundBatch<T, Known>> {
      const pieces: FoundBatch<T, Known>['pieces'][number][] = [];
      const rejected = [...batch.rejected];
      const givenUp = { count: 0 };
      const take = halving<ParsedRecord<T>>(
        (item, error) => void rejected.push(giveUp(item, error)),
        givenUp,
      );
      const { compare } = feed;
      const inOrder = compare && batch.records.toSorted((a, b) => compare(a.record, b.record));
      await take(inOrder ?? batch.records, async (records) => {
        pieces.push({ records, known: await share.limit.run(() => feed.lookUp(records)) });
      });
      return { rejected, givenUp, pieces };
    },

    /** `done` is told what became of the batch, also where it fails in the middle. */
    async write({ rejected, givenUp, pieces }: FoundBatch<T, Known>, done: (outcomes: Outcomes<O>) => void) {
      const startedMs = performance.now();
      const tally = tallyOf(feed.outcomes);
      const take = halving<Item>((item, error) => tally.reject([giveUp(item, error)]), givenUp);
      tally.reject(rejected);
      try {
        for (const { records, known } of pieces) {
          const { parts, ...evaluated } = feed.evaluate(records, known);
          tally.add(evaluated);
          const writes = [...parts].map(([ecpdId, part]) =>
            take(part, async (items) =>
              tally.add(await share.limit.run(() => feed.write(ecpdId, items, known))),
            ),
          );
          // All of them to their end: what one profile has committed counts, whatever becomes of another.
          for (const one of await Promise.allSettled(writes)) if (one.status === 'rejected') throw one.reason;
        }
      } finally {
        tally.rejected.sort((a, b) => a.line - b.line);
        done({ counts: tally.counts(), rejected: tally.rejected });
        const taken = feed.outcomes.reduce((sum, outcome) => sum + tally.counts()[outcome], 0);
        share.noteBatch?.(name, taken, tally.rejected);
        const counts = { ...tally.counts(), rejected: tally.rejected.length };
        feed.measure?.(counts, (performance.now() - startedMs) / 1_000);
      }
    },
  };
}

/** So many records of a batch are given up; what more of them cannot be taken is no accident of their data. */
const GIVEN_UP_MAX = 10;

export class TooManyGivenUp extends Error {}

/** Of one batch, through all that is done with it. */
interface GivenUp {
  count: number;
}

/**
 * Works a batch as a whole. Where that fails for a reason in its data, it halves it until it has found the records that
 * cannot be taken, gives these up, and works the others in their order. A record is given up when it has failed twice by
 * itself: what another feed was in the way of passes the second time. Any other failure is thrown as it is.
 */
export function halving<T extends { readonly line: number }>(
  giveUp: (item: T, error: Error) => void,
  givenUp: GivenUp,
): (items: readonly T[], work: (items: readonly T[]) => Promise<void>) => Promise<void> {
  const take = async (
    items: readonly T[],
    work: (items: readonly T[]) => Promise<void>,
    again = false,
  ): Promise<void> => {
    try {
      return await work(items);
    } catch (error) {
      if (!isAboutData(error) || items.length === 0) throw error;
      if (items.length === 1 && again) {
        if (++givenUp.count > GIVEN_UP_MAX)
          throw new TooManyGivenUp(`More than ${GIVEN_UP_MAX} records of a batch fail`, { cause: error });
        return giveUp(items[0]!, error);
      }
    }
    if (items.length === 1) return take(items, work, true);
    const middle = items.length >> 1;
    await take(items.slice(0, middle), work);
    await take(items.slice(middle), work);
  };
  return (items, work) => take(items, work);
}
