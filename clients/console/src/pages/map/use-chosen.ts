import { useEffect, useMemo, useState } from 'react';
import type { Fleet } from '../../map/fleet.ts';
import { pointAt } from '../../map/overlay.ts';
import type { Place } from '../../map/use-camera.ts';
import type { ReadyMap } from '../../map/use-map.ts';

export const placeAt = ({ longitudes, latitudes }: Fleet, nth: number): Place => [
  longitudes[nth]!,
  latitudes[nth]!,
];

/** The device that somebody looks at: it has a ring, and when it is followed the map goes where it goes. */
export function useChosen(ready: ReadyMap | undefined, fleet: Fleet | undefined) {
  const [chosen, choose] = useState<string | undefined>();
  const [followed, setFollowed] = useState<string | undefined>();
  const nth = chosen === undefined ? undefined : fleet?.places.get(chosen);
  const isFollowed = chosen !== undefined && followed === chosen;
  const place = useMemo(
    () => (nth === undefined || fleet === undefined ? undefined : placeAt(fleet, nth)),
    [fleet, nth],
  );
  useEffect(() => {
    ready?.overlay.set('chosen', place === undefined ? [] : [pointAt(place, {})]);
    if (place !== undefined && isFollowed) ready?.map.easeTo({ center: [...place] });
  }, [ready, place, isFollowed]);
  return { nth, isFollowed, choose, follow: () => setFollowed(isFollowed ? undefined : chosen) };
}
