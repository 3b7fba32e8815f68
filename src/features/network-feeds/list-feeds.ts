import type { Ctx } from '../../platform/context/context.ts';
import { listFeedRows, sumReports } from './sql.ts';

/** A feed as defined in the network file. */
export type KnownFeed = { readonly name: string } & (
  | { readonly kind: 'radius' }
  | { readonly kind: 'files'; readonly folder: string }
);

/** The status of a feed, for the operator. */
interface FeedStatus {
  readonly name: string;
  readonly kind: KnownFeed['kind'];
  /** `failing`: it runs, but something keeps it from some or all of its work. */
  readonly state: 'up' | 'failing' | 'down' | 'paused';
  /** Processes that run this feed. */
  readonly processes: number;
  readonly ratePerSecond: number;
  readonly backlog: number;
  readonly lagSeconds: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly busyWith: string | null;
  /** Why it is failing. */
  readonly problem: string | null;
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
}

function stateOf(
  pausedAt: Date | null,
  sum: { readonly problem: string | null } | undefined,
): FeedStatus['state'] {
  if (pausedAt !== null) return 'paused';
  if (sum === undefined) return 'down';
  return sum.problem === null ? 'up' : 'failing';
}

export async function listFeeds({ db }: Ctx, known: readonly KnownFeed[]): Promise<readonly FeedStatus[]> {
  if (known.length === 0) return [];
  const [sums, rows] = await Promise.all([sumReports(db), listFeedRows(db)]);
  const sumOf = new Map(sums.map((sum) => [sum.feed, sum]));
  const rowOf = new Map(rows.map((row) => [row.feed, row]));
  return known.map(({ name, kind }) => {
    const [sum, row] = [sumOf.get(name), rowOf.get(name)];
    return {
      name,
      kind,
      state: stateOf(row?.pausedAt ?? null, sum),
      problem: sum?.problem ?? null,
      processes: sum?.processes ?? 0,
      ratePerSecond: sum?.rate ?? 0,
      // All processes see the same folder, but each has its own packets in memory.
      backlog: (kind === 'files' ? sum?.mostWaiting : sum?.allWaiting) ?? 0,
      lagSeconds: sum?.lagSeconds ?? 0,
      accepted: sum?.accepted ?? 0,
      duplicates: sum?.duplicates ?? 0,
      rejected: sum?.rejected ?? 0,
      busyWith: sum?.busyWith ?? null,
      lastError: row?.lastError ?? null,
      lastErrorAt: row?.lastErrorAt ?? null,
    };
  });
}
