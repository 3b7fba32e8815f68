import type { Ctx } from '../context/context.ts';
import type { Turnstile } from '../flow-control/turnstile.ts';
import type { ReadOne, ReadRecord, RejectedRecord } from './record-stream.ts';

/** What became of records: how many had which outcome; an outcome that is not named had none. */
export interface Outcomes<O extends string> {
  readonly counts: Readonly<Partial<Record<O, number>>>;
  readonly rejected: readonly RejectedRecord[];
}

export const FEED_NAMES = ['usage', 'positions', 'readings'] as const;
export type FeedName = (typeof FEED_NAMES)[number];

/** What all feeds of a process share. */
export interface FeedShare {
  /** So that they leave connections to others. */
  readonly turns: Turnstile;
  /** So far ahead of the clock records may be dated. */
  readonly aheadMs: number;
  readonly countGivenUp: (feed: FeedName, count: number) => void;
}

/** What is a feed's own. */
export interface Feed<T, Known, Item extends { readonly line: number }, O extends string> {
  readonly name: FeedName;
  readonly ctx: Pick<Ctx, 'newId' | 'log'>;
  readonly share: Pick<FeedShare, 'turns' | 'countGivenUp'>;
  /** What its answer counts, beside what was rejected. */
  readonly outcomes: readonly O[];
  readonly read: ReadOne<T>;
  /**
   * In which order the records of a batch are worked, where it is not that of the feed. Where a batch is halved the first
   * half commits before the second: what depends on an order must not depend on that.
   */
  compare?(a: NoInfer<T>, b: NoInfer<T>): number;
  /** What is known about the records of a batch; asked while the batch before is written. */
  lookUp(records: readonly ReadRecord<T>[]): Promise<Known>;
  /** What of a batch is to be written, by profile. */
  judge(
    records: readonly ReadRecord<T>[],
    known: Known,
  ): Outcomes<O> & { readonly parts: ReadonlyMap<string, readonly Item[]> };
  /** In a transaction of its own; called again with fewer of the same where their data make it fail. */
  write(ecpdId: string, items: readonly Item[], known: Known): Promise<Outcomes<O>>;
  /** Told of every batch that was written. */
  watch?(counts: Readonly<Record<O | 'rejected', number>>, seconds: number): void;
}
