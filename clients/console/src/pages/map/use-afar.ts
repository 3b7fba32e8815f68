import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listCells } from '../../api/positions.ts';
import type { Afar } from '../../map/afar.ts';
import { CELL_PX } from '../../map/grid.ts';
import { type Coloring, toColoring, toneOfCell } from './tone-numbers.ts';

/** As old as what is read of each device may get. */
const FRESH_MS = 5 * 60_000;
const SQUARES_MAX = 64;
/** The map is never wider than the window. */
const squaresAcross = (): number =>
  Math.min(SQUARES_MAX, Math.max(1, Math.ceil(Math.max(innerWidth, innerHeight) / CELL_PX)));

async function readAfar(accountName: string, coloring: Coloring, signal?: AbortSignal): Promise<Afar> {
  const cells = await listCells(accountName, { across: squaresAcross(), by: coloring }, signal);
  return { ...cells, tones: cells.tones.map((tone) => toneOfCell(tone, coloring)) };
}

let asked: { readonly of: string; readonly answer: Promise<Afar> } | undefined;
const keyOf = (accountName: string, coloring: Coloring): string => `${accountName} ${coloring}`;

/** Asks for what the page of this address will show first, before there is a page. */
export function ask({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const accountName = /^\/accounts\/([^/]+)\/map$/.exec(pathname)?.[1];
  if (accountName === undefined) return;
  const coloring = toColoring(new URLSearchParams(search).get('colour'));
  const answer = readAfar(decodeURIComponent(accountName), coloring);
  // Whoever shows it is told.
  answer.catch(() => {});
  asked = { of: keyOf(decodeURIComponent(accountName), coloring), answer };
}

/** What was asked for already counts once. */
function take(accountName: string, coloring: Coloring): Promise<Afar> | undefined {
  const taken = asked?.of === keyOf(accountName, coloring) ? asked.answer : undefined;
  asked = undefined;
  return taken;
}

/** The fleet from afar: a short answer, whatever its size. Asked for only until all of it is known. */
export const useAfar = (accountName: string, coloring: Coloring, isKnown: boolean) =>
  useQuery({
    queryKey: ['map', accountName, 'afar', coloring],
    queryFn: ({ signal }) => take(accountName, coloring) ?? readAfar(accountName, coloring, signal),
    enabled: !isKnown,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
