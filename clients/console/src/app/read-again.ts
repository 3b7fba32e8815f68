import type { Query, QueryClient } from '@tanstack/react-query';
import { createListPace } from './list-pace.ts';

/** Longer lists are not refetched automatically; the viewer gets a note about new entries. */
const PAGES_READ_AGAIN_MAX = 3;

/** Returning to a page within this time does not refetch its data. */
export const FRESH_MS = 10_000;

interface Read {
  readonly state: { readonly data: unknown };
}
const pagesOf = ({ state: { data } }: Read): number | undefined =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages.length
    : undefined;
/** Whether the query's data is short enough for an automatic refetch. */
export const isShort = (query: Read): boolean => (pagesOf(query) ?? 0) <= PAGES_READ_AGAIN_MAX;

type Picks = (query: Query) => boolean;

/**
 * A fetch in progress may have read its data before the change, so this waits for it and fetches again. The
 * queries are picked first, because a query on its first fetch is known as a list only after it ends.
 */
async function readAgain(queries: QueryClient, picks: Picks): Promise<void> {
  const picked = new Set(queries.getQueryCache().findAll({ predicate: picks }));
  const reading = [...picked].filter(({ state }) => state.fetchStatus === 'fetching');
  await Promise.allSettled(reading.map(({ promise }) => promise));
  await queries.invalidateQueries({ predicate: (query) => picked.has(query) && isShort(query) });
  await queries.invalidateQueries({
    predicate: (query) => picked.has(query) && !isShort(query),
    refetchType: 'none',
  });
}

export interface Reader {
  readonly read: (topics: Iterable<string>) => void;
  readonly stop: () => void;
}

/** Refetches the visible data of a topic: single answers at once, lists at a limited pace. */
export function createReader(queries: QueryClient): Reader {
  const pace = createListPace();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const readLists = (topic: string) => {
    const wait = pace.waitMs(topic);
    if (wait <= 0) {
      pace.noteRead(topic);
      void readAgain(queries, (query) => query.queryKey[0] === topic && pagesOf(query) !== undefined);
    } else if (!waiting.has(topic)) {
      const later = () => {
        waiting.delete(topic);
        readLists(topic);
      };
      waiting.set(topic, setTimeout(later, wait));
    }
  };
  return {
    read(topics) {
      const all = new Set<unknown>(topics);
      void readAgain(queries, (query) => all.has(query.queryKey[0]) && pagesOf(query) === undefined);
      for (const topic of topics) readLists(topic);
    },
    stop() {
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}
