import { useQuery } from '@tanstack/react-query';
import { type BaseMap, readCoarseWorld, readFineWorld } from './base-map.ts';

/** From here on coasts and states are worth their weight. */
const FINE_FROM_ZOOM = 3;
const FOR_EVER = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };

/** The rough one at once, the fine one where somebody looks closer, when it has come. */
export function useBaseMap(zoom: number): BaseMap | undefined {
  const isClose = zoom >= FINE_FROM_ZOOM;
  const coarse = useQuery({ queryKey: ['base-map', 'coarse'], queryFn: readCoarseWorld, ...FOR_EVER });
  const fine = useQuery({
    queryKey: ['base-map', 'fine'],
    queryFn: readFineWorld,
    enabled: isClose,
    ...FOR_EVER,
  });
  return isClose && fine.data !== undefined ? fine.data : coarse.data;
}
