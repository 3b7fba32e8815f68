import type { Ctx } from '../context/context.ts';
import type { ConcurrencyLimit } from '../flow-control/limits.ts';
import { isAboutData, loggedError } from '../telemetry/log.ts';
import type { FeedSizes, ParsedRecord, ParseRecord, RecordBatch, RejectedRecord } from './parse-records.ts';

/** The results of records: the number for each outcome; a missing outcome counts as 0. */
export interface Outcomes<O extends string> {
  readonly counts: Readonly<Partial<Record<O, number>>>;
  readonly rejected: readonly RejectedRecord[];
}

export const FEED_NAMES = ['usage', 'positions', 'readings'] as const;
export type FeedName = (typeof FEED_NAMES)[number];

/** Shared by all feeds of a process. */
export interface FeedShare {
  /** Leaves database connections to other work. */
  readonly limit: ConcurrencyLimit;
  /** How far ahead of the clock records may be dated. */
  readonly aheadMs: number;
  /** Beyond these a feed breaks off. */
  readonly sizes?: FeedSizes | undefined;
  readonly countGivenUp: (feed: FeedName, count: number) => void;
  /** Called for each batch with the number of records taken or already known, and with the rejected ones. */
  readonly noteBatch?: (feed: FeedName, taken: number, rejected: readonly RejectedRecord[]) => void;
}

/** The parts that differ between feeds. */
export interface Feed<T, Known, Item extends { readonly line: number }, O extends string> {
  readonly name: FeedName;
  readonly ctx: Pick<Ctx, 'newId' | 'log'>;
  readonly share: Pick<FeedShare, 'limit' | 'sizes' | 'countGivenUp' | 'noteBatch'>;
  /** The outcomes that its answer counts, besides rejected records. */
  readonly outcomes: readonly O[];
  readonly parse: ParseRecord<T>;
  /**
   * The order in which the records of a batch are processed, if it differs from the feed. If a batch is halved, the first
   * half commits before the second, so results that depend on the order must not depend on that.
   */
  compare?(a: NoInfer<T>, b: NoInfer<T>): number;
  /** Queries what is known about the records of a batch, while the batch before is written. */
  lookUp(records: readonly ParsedRecord<T>[]): Promise<Known>;
  /** The items to write for a batch, by profile. */
  evaluate(
    records: readonly ParsedRecord<T>[],
    known: Known,
  ): Outcomes<O> & { readonly parts: ReadonlyMap<string, readonly Item[]> };
  /** Runs in its own transaction. Called again with fewer items if their data make it fail. */
  write(ecpdId: string, items: readonly Item[], known: Known): Promise<Outcomes<O>>;
  /** Called after every written batch. */
  measure?(counts: Readonly<Record<O | 'rejected', number>>, seconds: number): void;
}

/** Adds up the outcomes of records. */
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

/** A batch with what is known about its records: in one piece, or in several if some could not be looked up. */
interface FoundBatch<T, Known> {
  readonly rejected: readonly RejectedRecord[];
  readonly givenUp: GivenUp;
  readonly pieces: readonly { readonly records: readonly ParsedRecord<T>[]; readonly known: Known }[];
}

/** The two halves of the work on a batch. They run at the same time for different batches. */
export function batchTaker<T, Known, Item extends { readonly line: number }, O extends string>(
  feed: Feed<T, Known, Item, O>,
) {
  const { name, ctx, share } = feed;

  const giveUp = ({ line }: { readonly line: number }, error: Error): RejectedRecord => {
    const reference = ctx.newId();
    share.countGivenUp(name, 1);
    const cause = loggedError(error);
    ctx.log.error({ reference, feed: name, line, cause }, 'gave up a record that could not be taken');
    return { line, reason: `could not be taken; see the log for ${reference}` };
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

    /** `done` receives the outcomes of the batch, even if it fails in the middle. */
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
          // Waits for all of them: what one profile has committed counts, even if another fails.
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

/** At most this many records of a batch are given up. If more fail, their data are hardly the reason. */
const GIVEN_UP_MAX = 10;

export class TooManyGivenUp extends Error {}

/** The number of records given up in one batch, over all of its work. */
interface GivenUp {
  count: number;
}

/**
 * Processes a batch as a whole. If that fails because of its data, it halves the batch until it has found the failing
 * records, gives them up, and processes the others in order. A record is given up after it has failed twice alone: a
 * conflict with another feed is gone the second time. Any other failure is rethrown unchanged.
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
