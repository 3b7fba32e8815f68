import type { Ctx } from '../../platform/context/context.ts';
import { createHealth, type Health } from '../../platform/health/health.ts';
import { deleteOldReports, deleteReport, isFeedPaused, noteFeedFailure, noteReport } from './sql.ts';

const REPORT_MS = 1_000;
/** The rate is an average over this many reports. */
const RATE_REPORTS = 60;
const REASON_MAX = 500;

interface Counts {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/** Reports the state of a feed that this process runs. */
export interface FeedReporter {
  count(counts: Partial<Counts>): void;
  waiting(backlog: number, oldestAt: Date | undefined): void;
  busyWith(what: string | undefined): void;
  failed(reason: string): void;
  /** What keeps it from its work now; undefined: nothing. */
  troubledBy(problem: string | undefined): void;
  /** As of the last report, up to a second ago. */
  readonly isPaused: boolean;
  /** Since the start. */
  readonly counts: Counts;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createFeedReporter(ctx: Ctx, feed: string, health: Health = createHealth()): FeedReporter {
  const { db } = ctx;
  const reporter = ctx.newId();
  const loop = health.loop('feeds.report', { vital: false });
  const taken: number[] = [];
  let counts: Counts = { accepted: 0, duplicates: 0, rejected: 0 };
  let [backlog, oldestAt]: [number, Date | undefined] = [0, undefined];
  let [busy, failure, problem]: (string | undefined)[] = [];
  let isPaused = false;
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> | undefined;

  /** Records per second, as far back as reports are kept. */
  function rateNow(): number {
    const total = counts.accepted + counts.duplicates + counts.rejected;
    taken.push(total);
    if (taken.length > RATE_REPORTS + 1) taken.shift();
    const seconds = ((taken.length - 1) * REPORT_MS) / 1_000;
    return seconds === 0 ? 0 : (total - taken[0]!) / seconds;
  }

  async function report(): Promise<void> {
    try {
      isPaused = await isFeedPaused(db, feed);
      await noteReport(db, {
        feed,
        reporter,
        backlog,
        oldestAt,
        rate: rateNow(),
        ...counts,
        busyWith: busy,
        problem,
      });
      const reason = failure;
      failure = undefined;
      if (reason !== undefined) await noteFeedFailure(db, feed, reason, ctx.now());
      loop.passed();
    } catch (error) {
      loop.failed(error);
    }
  }

  return {
    count({ accepted = 0, duplicates = 0, rejected = 0 }) {
      counts = {
        accepted: counts.accepted + accepted,
        duplicates: counts.duplicates + duplicates,
        rejected: counts.rejected + rejected,
      };
    },
    waiting(now, since) {
      [backlog, oldestAt] = [now, since];
    },
    busyWith(what) {
      busy = what;
    },
    failed(reason) {
      failure = reason.slice(0, REASON_MAX);
    },
    troubledBy(what) {
      problem = what?.slice(0, REASON_MAX);
    },
    get isPaused() {
      return isPaused;
    },
    get counts() {
      return counts;
    },
    async start() {
      loop.begin();
      // A failure is left for the next start: the feed does not depend on this.
      await deleteOldReports(db).catch((error) => loop.failed(error));
      await report();
      timer = setInterval(() => {
        reporting ??= report().finally(() => {
          reporting = undefined;
        });
      }, REPORT_MS);
    },
    async stop() {
      clearInterval(timer);
      await reporting;
      loop.rest();
      await deleteReport(db, feed, reporter).catch(() => {});
    },
  };
}
