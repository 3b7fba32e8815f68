import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { FRESH_MS, isShort } from './read-again.ts';

interface PageOf<Mark> {
  /** Start of the next page; absent on the last one. */
  readonly next?: Mark | undefined;
}

/** The pages of a list read so far. */
export interface Pages<Page> {
  readonly pages: readonly Page[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  readonly hasMore: boolean;
  /** Undefined at the end of the list, during a fetch and after a failed one. */
  readonly readMore: (() => void) | undefined;
  readonly isReadingMore: boolean;
  /** Reads all pages separately, without changing the visible ones. */
  readonly readAll: (signal: AbortSignal) => AsyncIterable<Page>;
  /** Set when a long list has changed: reloads it from the first page. */
  readonly showNews: (() => void) | undefined;
}

/** A list read page by page. Only short lists are refetched automatically. */
export function usePages<Page extends PageOf<Mark>, Mark = string>(
  queryKey: QueryKey,
  read: (mark: Mark | undefined, signal: AbortSignal) => Promise<Page>,
  /** Refetch interval of a short list whose changes the service does not report. */
  pauseMs: (pages: readonly Page[]) => number | false = () => false,
): Pages<Page> {
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    queryKey,
    // The library cannot infer this type while `Mark` is generic.
    queryFn: ({ pageParam, signal }) => read(pageParam as Mark | undefined, signal),
    initialPageParam: undefined as Mark | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: (query) => (isShort(query) ? FRESH_MS : Number.POSITIVE_INFINITY),
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    refetchInterval: (query) => isShort(query) && pauseMs(query.state.data?.pages ?? []),
  });
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError } = list;
  const isOld = list.isStale && !isFetching && !isShort({ state: { data } });
  const beginAgain = () => {
    queries.setQueryData<InfiniteData<Page, Mark | undefined>>(
      queryKey,
      (before) => before && { pages: before.pages.slice(0, 1), pageParams: before.pageParams.slice(0, 1) },
    );
    void refetch();
  };
  return {
    pages: data?.pages,
    error,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    hasMore: hasNextPage,
    readMore: hasNextPage && !isFetching && !isFetchNextPageError ? () => void fetchNextPage() : undefined,
    isReadingMore: list.isFetchingNextPage,
    async *readAll(signal) {
      let mark: Mark | undefined;
      do {
        const page = await read(mark, signal);
        yield page;
        mark = page.next;
      } while (mark !== undefined);
    },
    showNews: isOld ? beginAgain : undefined,
  };
}
