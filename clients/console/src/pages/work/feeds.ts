import type { FeedOfProcess, Process } from '../../api/work.ts';

const REASONS_SHOWN = 10;

/** A feed summed over all processes, with equal reasons merged. */
function addUp(feed: string, parts: readonly FeedOfProcess[]): FeedOfProcess {
  const sum = (of: (part: FeedOfProcess) => number) => parts.reduce((all, part) => all + of(part), 0);
  const same = Map.groupBy(
    parts.flatMap(({ reasons }) => reasons),
    ({ reason }) => reason,
  );
  const reasons = [...same].map(([reason, some]) => ({
    reason,
    records: some.reduce((all, { records }) => all + records, 0),
    at: some
      .map(({ at }) => at)
      .sort()
      .at(-1)!,
  }));
  return {
    feed,
    ratePerSecond: sum(({ ratePerSecond }) => ratePerSecond),
    taken: sum(({ taken }) => taken),
    rejected: sum(({ rejected }) => rejected),
    reasons: reasons.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, REASONS_SHOWN),
  };
}

/** The feeds of all running processes, merged by feed. */
export const feedsOf = (processes: readonly Process[]): readonly FeedOfProcess[] =>
  [
    ...Map.groupBy(
      processes.filter(({ state }) => state !== 'gone').flatMap(({ feeds }) => feeds),
      ({ feed }) => feed,
    ),
  ].map(([feed, parts]) => addUp(feed, parts));
