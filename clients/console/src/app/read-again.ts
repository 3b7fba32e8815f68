import type { Query, QueryClient } from '@tanstack/react-query';
import { createListPace } from './list-pace.ts';

/** What has more pages is not read again by itself: whoever has gone so far down is told that there is news. */
const PAGES_READ_AGAIN_MAX = 3;

/** For so long nothing is read again because somebody comes back to it. */
export const FRESH_MS = 10_000;

interface Read {
  readonly state: { readonly data: unknown };
}
const pagesOf = ({ state: { data } }: Read): number | undefined =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages.length
    : undefined;
/** Of a query's data as it is: whether reading it again costs little enough to be done unasked. */
export const isShort = (query: Read): boolean => (pagesOf(query) ?? 0) <= PAGES_READ_AGAIN_MAX;

type Picks = (query: Query) => boolean;

/**
 * What is being read may have been read before the change: it is waited for, and asked for once more. Which queries these
 * are is decided before: one that is read for the first time is known as a list only afterwards.
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

/** Reads what is shown of a topic again: single answers at once, lists at their pace. */
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
