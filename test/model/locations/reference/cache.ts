import { type Accuracy, latitudeOf, RADIUS } from '../case.ts';
import type { Fix, Held, Life, Request } from './state.ts';

/** A precise position is also known in its coarse form. */
export function keepFix(life: Life, fix: Fix): void {
  const coarse: Fix = { ...fix, accuracy: 'coarse', radius: RADIUS.coarsened };
  life.cache = [...life.cache, fix, ...(fix.accuracy === 'precise' ? [coarse] : [])];
}

/** The newest: of coarse ones for a coarse request, of all for a precise one, and of two forms of one the precise. */
export const findCached = ({ cache }: Life, accuracy: Accuracy): Fix | undefined =>
  cache
    .filter((fix) => fix.accuracy === 'coarse' || accuracy === 'precise')
    .toSorted((a, b) => a.at - b.at || (a.accuracy === 'precise' ? 1 : -1))
    .at(-1);

/** If the caller allowed both, it is told whether a position came from the cache. */
export const position = (
  { cacheMode }: Pick<Request, 'cacheMode'>,
  { line }: Life,
  { place, radius }: Fix,
  isCached: boolean,
): Held => {
  const how = cacheMode !== 1 ? '' : isCached ? ' 2' : ' 0';
  return { text: `${latitudeOf(line, place)} ${radius}${how}`, isPosition: true };
};
