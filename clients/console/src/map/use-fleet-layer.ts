import type { MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Clusters, openClusters } from './clusters.ts';
import { type Fleet, toFleet } from './fleet.ts';
import type { Looked } from './grid.ts';
import { type Bounds, boundsOf } from './mercator.ts';
import { circleAt, shownFeature } from './overlay.ts';
import type { MapState, ReadyMap } from './use-map.ts';

const NO_FLEET = toFleet([]);
export interface Seen extends Omit<Looked, 'shown'> {
  /** The fleet that numbers of devices are about. */
  readonly fleet: Fleet;
}

export const viewOf = ({ map }: ReadyMap): Bounds => {
  const bounds = map.getBounds();
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
};

function drawShown({ overlay }: ReadyMap, fleet: Fleet, { shown }: Looked): void {
  overlay.set(
    'points',
    shown.map((one) =>
      shownFeature(one, 'nth' in one ? { id: fleet.ids[one.nth] } : { opensAt: one.opensAt }),
    ),
  );
  overlay.set(
    'accuracy',
    shown.flatMap((one) =>
      'nth' in one ? [circleAt([one.longitude, one.latitude], fleet.radii[one.nth]!, one.tone)] : [],
    ),
  );
}

/** Says on the box how many devices are drawn by now: the worker has answered, and the map has shown it. */
function noteDrawn({ map }: ReadyMap, box: HTMLElement, count: number): void {
  const look = () => {
    if (!map.isSourceLoaded('points')) return;
    map.off('render', look);
    box.dataset['drawn'] = String(count);
  };
  map.on('render', look);
  map.triggerRepaint();
}

interface LayerInput {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly state: MapState;
  readonly fleet: Fleet | undefined;
  readonly tones: Uint8Array;
  readonly onDevice: (deviceId: string) => void;
}

/** The fleet on the map: what is in view is found by a worker, drawn as devices and clusters, and listed. */
export function useFleetLayer({ box, state, fleet, tones, onDevice }: LayerInput) {
  const [seen, setSeen] = useState<Seen>({ fleet: NO_FLEET, listed: [], inView: 0 });
  const [clusters, setClusters] = useState<Clusters<Fleet> | undefined>();
  const ready = state.kind === 'ready' ? state.ready : undefined;
  const drawing = useRef<ReadyMap | undefined>(undefined);
  const choose = useRef(onDevice);
  choose.current = onDevice;

  useEffect(() => {
    const made = openClusters(NO_FLEET, (of, looked) => {
      setSeen({ fleet: of, listed: looked.listed, inView: looked.inView });
      if (drawing.current === undefined) return;
      drawShown(drawing.current, of, looked);
      if (box.current !== null) noteDrawn(drawing.current, box.current, looked.inView);
    });
    setClusters(made);
    return () => made.close();
  }, [box]);

  useEffect(() => {
    drawing.current = ready;
    if (clusters === undefined || fleet === undefined) return;
    clusters.load(fleet, tones);
    if (ready !== undefined) clusters.look(viewOf(ready), ready.map.getZoom());
    else if (state.kind === 'failed') clusters.look(boundsOf(fleet.latitudes, fleet.longitudes), 0);
  }, [clusters, fleet, tones, ready, state.kind]);

  useEffect(() => {
    if (clusters === undefined || ready === undefined) return;
    const { map } = ready;
    const look = () => clusters.look(viewOf(ready), map.getZoom());
    const follow = () => {
      if (!clusters.covers(viewOf(ready), map.getZoom())) look();
    };
    const open = ({ features, lngLat }: MapMouseEvent & { features?: MapGeoJSONFeature[] }) => {
      const { id, opensAt } = features?.[0]?.properties ?? {};
      if (id !== undefined) return choose.current(String(id));
      map.easeTo({ center: lngLat, zoom: Math.max(map.getZoom() + 1, Number(opensAt)) });
    };
    const point = (cursor: string) => () => {
      map.getCanvas().style.cursor = cursor;
    };
    const subscriptions = [
      map.on('move', follow),
      map.on('moveend', look),
      map.on('click', 'points', open),
      map.on('mouseenter', 'points', point('pointer')),
      map.on('mouseleave', 'points', point('')),
    ];
    return () => {
      for (const one of subscriptions) one.unsubscribe();
    };
  }, [clusters, ready]);

  return { seen, find: clusters?.find };
}
