import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listPositions, type Positions } from '../../api/positions.ts';
import { type Fleet, toFleet, withNews } from '../../map/fleet.ts';

/** Consent can be withdrawn without any news: after so long everything is read again. */
const READ_AGAIN_MS = 5 * 60_000;
/** Where there is too much news to be told, no more often than so. */
const CAUGHT_UP_MS = 60_000;
/** So many show at once; the others follow all together, so that clusters are not made anew for each page. */
const FIRST_PAGE = 2_000;

/** All positions, page by page, and then only what is new: a large fleet is not read again at each move. */
export function useFleet(accountName: string) {
  const queries = useQueryClient();
  const beginning = useQuery<Fleet>({ queryKey: ['map', accountName, 'beginning'], enabled: false });
  const all = useQuery({
    queryKey: ['map', accountName],
    queryFn: async ({ signal }) => {
      const pages: Positions[] = [];
      let page: string | undefined;
      do {
        const asked = { page, limit: page === undefined ? FIRST_PAGE : undefined };
        const { next, ...positions } = await listPositions(accountName, asked, signal);
        pages.push(positions);
        if (page === undefined && next !== undefined)
          queries.setQueryData(['map', accountName, 'beginning'], toFleet(pages));
        page = next;
      } while (page !== undefined);
      return { fleet: toFleet(pages), readAt: performance.now() };
    },
    // Comparing a hundred thousand positions with those before takes longer than drawing them.
    structuralSharing: false,
    staleTime: READ_AGAIN_MS,
    refetchInterval: READ_AGAIN_MS,
  });
  const { data, refetch } = all;

  const newsKey = ['positions', accountName, all.dataUpdatedAt];
  const news = useQuery({
    queryKey: newsKey,
    enabled: data !== undefined,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<Fleet>(newsKey);
      const since = Math.max(data?.fleet.newest ?? 0, before?.newest ?? 0);
      const answer = await listPositions(accountName, { since }, signal);
      if (answer.more && performance.now() - (data?.readAt ?? 0) > CAUGHT_UP_MS) void refetch();
      return toFleet(before === undefined ? [answer] : [before, answer]);
    },
  });
  const fleet = useMemo(
    () => (data === undefined || news.data === undefined ? data?.fleet : withNews(data.fleet, news.data)),
    [data, news.data],
  );
  return {
    fleet: fleet ?? beginning.data,
    isReading: data === undefined && !all.isError,
    error: all.error,
    retry: () => void refetch(),
  };
}
