import { type InfiniteData, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { FRESH_MS, isShort } from './read-again.ts';

interface PageOf<Mark> {
  /** Where the list goes on; absent at its end. */
  readonly next?: Mark | undefined;
}

/** A list as far as it was read. */
export interface Pages<Page> {
  readonly pages: readonly Page[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  readonly hasMore: boolean;
  /** Undefined at the end, while something is read, and where it failed. */
  readonly readMore: (() => void) | undefined;
  readonly isReadingMore: boolean;
  /** From the first page to the end, beside what is shown. */
  readonly readAll: (signal: AbortSignal) => AsyncIterable<Page>;
  /** Set where a long list has changed: begins it again. */
  readonly showNews: (() => void) | undefined;
}

/** A list that comes page by page. However many were read, no more than a few are read again unasked. */
export function usePages<Page extends PageOf<Mark>, Mark = string>(
  queryKey: QueryKey,
  read: (mark: Mark | undefined, signal: AbortSignal) => Promise<Page>,
  /** For how long a short list is left, where it changes without anybody being told. */
  pauseMs: (pages: readonly Page[]) => number | false = () => false,
): Pages<Page> {
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    queryKey,
    // The library's type of it stays open as long as that of the mark does.
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
