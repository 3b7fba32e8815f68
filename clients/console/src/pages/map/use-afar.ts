import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listCells } from '../../api/positions.ts';
import type { Afar } from '../../map/afar.ts';
import { CELL_PX } from '../../map/grid.ts';
import { type Coloring, toColoring, toneOfCell } from './tone-numbers.ts';

/** The same maximum age as for single positions. */
const FRESH_MS = 5 * 60_000;
const SQUARES_MAX = 64;
/** The window's width is an upper limit for the map's. */
const squaresAcross = (): number =>
  Math.min(SQUARES_MAX, Math.max(1, Math.ceil(Math.max(innerWidth, innerHeight) / CELL_PX)));

async function readAfar(accountName: string, coloring: Coloring, signal?: AbortSignal): Promise<Afar> {
  const cells = await listCells(accountName, { across: squaresAcross(), by: coloring }, signal);
  return { ...cells, tones: cells.tones.map((tone) => toneOfCell(tone, coloring)) };
}

let asked: { readonly of: string; readonly answer: Promise<Afar> } | undefined;
const keyOf = (accountName: string, coloring: Coloring): string => `${accountName} ${coloring}`;

/** Requests the first data of the addressed page before the page is loaded. */
export function ask({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const accountName = /^\/accounts\/([^/]+)\/map$/.exec(pathname)?.[1];
  if (accountName === undefined) return;
  const coloring = toColoring(new URLSearchParams(search).get('colour'));
  const answer = readAfar(decodeURIComponent(accountName), coloring);
  // The component that shows it reports a failure.
  answer.catch(() => {});
  asked = { of: keyOf(decodeURIComponent(accountName), coloring), answer };
}

/** Uses an early request only once. */
function take(accountName: string, coloring: Coloring): Promise<Afar> | undefined {
  const taken = asked?.of === keyOf(accountName, coloring) ? asked.answer : undefined;
  asked = undefined;
  return taken;
}

/** The counted fleet, a short answer for any fleet size. Requested only until all positions are known. */
export const useAfar = (accountName: string, coloring: Coloring, isKnown: boolean) =>
  useQuery({
    queryKey: ['map', accountName, 'afar', coloring],
    queryFn: ({ signal }) => take(accountName, coloring) ?? readAfar(accountName, coloring, signal),
    enabled: !isKnown,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
