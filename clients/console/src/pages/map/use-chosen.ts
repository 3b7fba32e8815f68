import { useEffect, useMemo, useRef, useState } from 'react';
import { useFilter } from '../../app/use-filter.ts';
import type { Fleet } from '../../map/fleet.ts';
import { pointAt } from '../../map/overlay.ts';
import type { Place } from '../../map/use-camera.ts';
import type { ReadyMap } from '../../map/use-map.ts';

export const placeAt = ({ longitudes, latitudes }: Fleet, nth: number): Place => [
  longitudes[nth]!,
  latitudes[nth]!,
];

const NEAR_ZOOM = 12;

/** The selected device, initially the one in the address. It has a ring; in follow mode, the map moves with it. */
export function useChosen(ready: ReadyMap | undefined, fleet: Fleet | undefined) {
  const [asked] = useFilter('device');
  const isToBeShown = useRef(asked !== '');
  const [chosen, choose] = useState<string | undefined>(asked || undefined);
  const [followed, setFollowed] = useState<string | undefined>();
  const nth = chosen === undefined ? undefined : fleet?.places.get(chosen);
  const isFollowed = chosen !== undefined && followed === chosen;
  const place = useMemo(
    () => (nth === undefined || fleet === undefined ? undefined : placeAt(fleet, nth)),
    [fleet, nth],
  );
  useEffect(() => {
    ready?.overlay.set('chosen', place === undefined ? [] : [pointAt(place, {})]);
    if (ready !== undefined && place !== undefined && isToBeShown.current) {
      isToBeShown.current = false;
      ready.map.jumpTo({ center: [...place], zoom: NEAR_ZOOM });
    }
    if (place !== undefined && isFollowed) ready?.map.easeTo({ center: [...place] });
  }, [ready, place, isFollowed]);
  return { nth, isFollowed, choose, follow: () => setFollowed(isFollowed ? undefined : chosen) };
}
