import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { listPositions, type Positions } from '../../api/positions.ts';
import { type Afar, boundsFromAfar, countOf } from '../../map/afar.ts';
import { type Fleet, toFleet, withNews } from '../../map/fleet.ts';
import { type Bounds, boundsOf } from '../../map/mercator.ts';
import type { Coloring } from './tone-numbers.ts';
import { useAfar } from './use-afar.ts';

/** Consent can be withdrawn without any news: after so long everything is read again. */
const READ_AGAIN_MS = 5 * 60_000;
/** Where there is too much news to be told, no more often than so. */
const CAUGHT_UP_MS = 60_000;
/** So few are read while the map is still being opened. */
const FEW = 2_000;
/** Where all of them are: by each of them, else from afar. */
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
 * The fleet from afar, then all positions, page by page, and then only what is new: a large fleet is not read again at each move.
 * What is drawn first comes first: all of a large fleet is read when it was seen from afar (`readOn`).
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
  const bounds = useBounds(fleet, afar.data);
  const error = all.error ?? (fleet === undefined ? afar.error : null);
  return {
    fleet,
    /** All there is to see until the map is there. */
    first: afar.data,
    // A few come at once: to draw them twice would only take longer.
    afar: fleet === undefined && !isSmall ? afar.data : undefined,
    located: fleet?.ids.length ?? (afar.data && countOf(afar.data)),
    bounds,
    readOn: () => setReadOn(true),
    isReading: data === undefined && error === null,
    error,
    retry: () => void (afar.data === undefined && !isRead ? afar : all).refetch(),
  };
}
