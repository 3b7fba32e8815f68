import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { listPositionNews, listPositions } from '../../api/positions.ts';
import { type Fleet, toFleet } from './fleet.ts';

/** Consent can be withdrawn without any news: after so long everything is read again. */
const READ_AGAIN_MS = 5 * 60_000;

/** All positions, page by page, and then only what is new: a large fleet is not read again at each move. */
export function useFleet(accountName: string) {
  const queries = useQueryClient();
  const all = useInfiniteQuery({
    queryKey: ['map', accountName],
    queryFn: ({ pageParam, signal }) => listPositions(accountName, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: READ_AGAIN_MS,
    refetchInterval: READ_AGAIN_MS,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage, refetch, data } = all;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  // The first page shows at once, the others all together: clusters are not made anew for each of them.
  const first = data?.pages[0];
  const whole = hasNextPage ? undefined : data?.pages;
  const known = useMemo(() => (first === undefined ? undefined : toFleet(whole ?? [first])), [first, whole]);

  const newsKey = ['positions', accountName, all.dataUpdatedAt];
  const news = useQuery({
    queryKey: newsKey,
    enabled: known !== undefined && !hasNextPage,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<Fleet>(newsKey);
      const since = Math.max(known?.newest ?? 0, before?.newest ?? 0);
      const answer = await listPositionNews(accountName, since, signal);
      if (answer.more) void refetch();
      return toFleet(before === undefined ? [answer] : [before, answer]);
    },
  });
  const fleet = useMemo(
    () => known && (news.data === undefined ? known : toFleet([known, news.data])),
    [known, news.data],
  );
  return { fleet, isReading: hasNextPage || all.isPending, error: all.error, retry: () => void refetch() };
}
