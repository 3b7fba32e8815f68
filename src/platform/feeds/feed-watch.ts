import type { FeedName } from './feed.ts';
import type { RejectedRecord } from './parse-records.ts';

/** Rates are averages over this many full seconds. */
const RATE_SECONDS = 60;
/** The last reasons are kept for each feed, at most this many. */
const REASONS_MAX = 10;
const REASON_MAX_CHARS = 200;

export interface FeedStatus {
  readonly feed: FeedName;
  /** Records per second over the last minute, including rejected ones. */
  readonly ratePerSecond: number;
  /** Since the start of the process. */
  readonly taken: number;
  readonly rejected: number;
  /** The last reasons for rejecting records, the newest first. */
  readonly reasons: readonly { readonly reason: string; readonly records: number; readonly at: string }[];
}

/** Reasons may quote records from any sender: the database stores neither U+0000 nor half a surrogate pair. */
const storable = (text: string): string =>
  text.slice(0, REASON_MAX_CHARS).toWellFormed().replaceAll('\0', '\ufffd');

interface Watched {
  taken: number;
  rejected: number;
  /** Number of records by the second of their arrival. */
  readonly seconds: Map<number, number>;
  /** In the order of their last occurrence. */
  readonly reasons: Map<string, { records: number; at: Date }>;
}

interface Clocks {
  /** Domain time, for people. */
  readonly now: () => Date;
  /** Real time, for rates. */
  readonly nowMs?: () => number;
}

/** Counts the records of each feed, their rate, and the reasons for rejections, in constant memory. */
export function createFeedWatch({ now, nowMs = () => performance.now() }: Clocks) {
  const feeds = new Map<FeedName, Watched>();
  const secondNow = () => Math.floor(nowMs() / 1_000);

  const watched = (feed: FeedName): Watched => {
    const known = feeds.get(feed) ?? { taken: 0, rejected: 0, seconds: new Map(), reasons: new Map() };
    feeds.set(feed, known);
    return known;
  };
  const dropOld = (seconds: Map<number, number>, second: number) => {
    for (const one of seconds.keys()) if (one < second - RATE_SECONDS) seconds.delete(one);
  };
  const noteReason = (reasons: Watched['reasons'], text: string, at: Date) => {
    const reason = storable(text);
    const records = (reasons.get(reason)?.records ?? 0) + 1;
    // Deleted first, so that the latest reason moves to the end.
    reasons.delete(reason);
    reasons.set(reason, { records, at });
    const [oldest] = reasons.keys();
    if (reasons.size > REASONS_MAX && oldest !== undefined) reasons.delete(oldest);
  };

  return {
    noteBatch(feed: FeedName, taken: number, rejected: readonly RejectedRecord[]): void {
      const of = watched(feed);
      of.taken += taken;
      of.rejected += rejected.length;
      const second = secondNow();
      of.seconds.set(second, (of.seconds.get(second) ?? 0) + taken + rejected.length);
      dropOld(of.seconds, second);
      const at = now();
      for (const { reason } of rejected) noteReason(of.reasons, reason, at);
    },

    status(): readonly FeedStatus[] {
      const second = secondNow();
      return [...feeds].map(([feed, { taken, rejected, seconds, reasons }]) => {
        dropOld(seconds, second);
        const whole = [...seconds].filter(([one]) => one < second);
        const records = whole.reduce((sum, [, some]) => sum + some, 0);
        return {
          feed,
          ratePerSecond: records / RATE_SECONDS,
          ...{ taken, rejected },
          reasons: [...reasons]
            .map(([reason, { records: some, at }]) => ({ reason, records: some, at: at.toISOString() }))
            .reverse(),
        };
      });
    },
  };
}
