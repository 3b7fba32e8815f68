import { useEffect, useRef } from 'react';
import type { Bounds } from './mercator.ts';
import type { ReadyMap } from './use-map.ts';

export type Place = readonly [longitude: number, latitude: number];

/** Controls the camera: it shows the whole fleet until the user moves the map or opens a place. */
export function useCamera(ready: ReadyMap | undefined, all: Bounds | undefined) {
  const isMoved = useRef(false);
  useEffect(() => {
    const noted = ready?.map.on('movestart', ({ originalEvent }) => {
      isMoved.current ||= originalEvent !== undefined;
    });
    return () => noted?.unsubscribe();
  }, [ready]);
  useEffect(() => {
    const fit = () => {
      if (all !== undefined && !isMoved.current) ready?.fit(all, false);
    };
    fit();
    const resized = ready?.map.on('resize', fit);
    return () => resized?.unsubscribe();
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
