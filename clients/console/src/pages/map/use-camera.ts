import { useEffect, useMemo, useRef, useState } from 'react';
import type { Fleet } from '../../map/fleet.ts';
import type { Bounds } from '../../map/mercator.ts';
import { pointAt } from '../../map/overlay.ts';
import type { ReadyMap } from '../../map/use-map.ts';

type Place = readonly [longitude: number, latitude: number];

/** Where the map looks: at all there is until somebody moves it, or at what was asked for. */
export function useCamera(ready: ReadyMap | undefined, all: Bounds | undefined) {
  const isMoved = useRef(false);
  useEffect(() => {
    const noted = ready?.map.on('movestart', ({ originalEvent }) => {
      isMoved.current ||= originalEvent !== undefined;
    });
    return () => noted?.unsubscribe();
  }, [ready]);
  useEffect(() => {
    if (all !== undefined && !isMoved.current) ready?.fit(all, false);
  }, [ready, all]);
  return {
    showAll() {
      isMoved.current = false;
      if (all !== undefined) ready?.fit(all);
    },
    goTo(center: Place, zoom: number) {
      isMoved.current = true;
      ready?.map.flyTo({ center: [...center], zoom });
    },
    zoomBy(by: 1 | -1) {
      isMoved.current = true;
      ready?.map.easeTo({ zoom: ready.map.getZoom() + by });
    },
  };
}

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
