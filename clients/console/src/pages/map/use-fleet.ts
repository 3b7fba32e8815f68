import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { listPositions, type Positions } from '../../api/positions.ts';
import { type Afar, boundsFromAfar, countOf } from '../../map/afar.ts';
import { type Fleet, toFleet, withNews } from '../../map/fleet.ts';
import { type Bounds, boundsOf } from '../../map/mercator.ts';
import type { Coloring } from './tone-numbers.ts';
import { useAfar } from './use-afar.ts';

/** Interval of a full refetch, because nothing reports that a consent was withdrawn. */
const READ_AGAIN_MS = 5 * 60_000;
/** Shortest interval between updates while many changes arrive. */
const CAUGHT_UP_MS = 60_000;
/** Positions read while the map is still opening. */
const FEW = 2_000;
/** Bounds of the fleet, from the single positions if known, else from the counts. */
const useBounds = (fleet: Fleet | undefined, afar: Afar | undefined): Bounds | undefined =>
  useMemo(
    () => (fleet === undefined ? afar && boundsFromAfar(afar) : boundsOf(fleet.latitudes, fleet.longitudes)),
    [fleet, afar],
  );

async function readAll(accountName: string, signal: AbortSignal): Promise<Fleet> {
  const pages: Positions[] = [];
  let page: string | undefined;
  do {
    const { next, ...positions } = await listPositions(accountName, { page }, signal);
    pages.push(positions);
    page = next;
  } while (page !== undefined);
  return toFleet(pages);
}

/**
 * Reads the counted fleet, then all positions page by page, and then only changes, so that a large fleet is
 * not refetched at each move. The first drawing has priority: the positions of a large fleet are read only
 * after its counts were drawn (`readOn`).
 */
export function useFleet(accountName: string, coloring: Coloring) {
  const queries = useQueryClient();
  const [mayReadOn, setReadOn] = useState(false);
  const isRead = queries.getQueryData(['map', accountName]) !== undefined;
  const afar = useAfar(accountName, coloring, isRead);
  const isSmall = afar.data !== undefined && countOf(afar.data) <= FEW;
  const all = useQuery({
    queryKey: ['map', accountName],
    queryFn: async ({ signal }) => ({
      fleet: await readAll(accountName, signal),
      readAt: performance.now(),
    }),
    enabled: isRead || isSmall || mayReadOn,
    // Comparing a hundred thousand positions with the old ones takes longer than drawing them.
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
  const bounds = useBounds(fleet, afar.data);
  const error = all.error ?? (fleet === undefined ? afar.error : null);
  return {
    fleet,
    /** The only drawing until the map is open. */
    first: afar.data,
    // A small fleet arrives in one page, so drawing it twice would only take longer.
    afar: fleet === undefined && !isSmall ? afar.data : undefined,
    located: fleet?.ids.length ?? (afar.data && countOf(afar.data)),
    bounds,
    readOn: () => setReadOn(true),
    isReading: data === undefined && error === null,
    error,
    retry: () => void (afar.data === undefined && !isRead ? afar : all).refetch(),
  };
}
