import type { MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Afar, clusterCounts, countOf } from './afar.ts';
import { type Clusters, openClusters } from './clusters.ts';
import { type Fleet, toFleet } from './fleet.ts';
import type { Clustered, Shown } from './grid.ts';
import { type Bounds, boundsOf } from './mercator.ts';
import { circleAt, shownFeature } from './overlay.ts';
import type { MapState, ReadyMap } from './use-map.ts';

const NO_FLEET = toFleet([]);
export interface Seen extends Omit<Clustered, 'shown'> {
  /** The fleet that the indexes refer to. */
  readonly fleet: Fleet;
}

export const viewOf = ({ map }: ReadyMap): Bounds => {
  const bounds = map.getBounds();
  return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
};

function drawPoints({ overlay }: ReadyMap, ids: readonly string[], shown: readonly Shown[]): void {
  overlay.set(
    'points',
    shown.map((one) => shownFeature(one, 'nth' in one ? { id: ids[one.nth] } : { opensAt: one.opensAt })),
  );
}

function drawShown(ready: ReadyMap, fleet: Fleet, { shown }: Clustered): void {
  drawPoints(ready, fleet.ids, shown);
  ready.overlay.set(
    'accuracy',
    shown.flatMap((one) =>
      'nth' in one ? [circleAt([one.longitude, one.latitude], fleet.radii[one.nth]!, one.tone)] : [],
    ),
  );
}

/** Writes the number of drawn devices to the box after the map has rendered the worker's result. */
function noteDrawn({ map }: ReadyMap, box: HTMLElement, count: number, onDrawn: () => void): () => void {
  const check = () => {
    if (!map.isSourceLoaded('points')) return;
    map.off('render', check);
    box.dataset['drawn'] = String(count);
    onDrawn();
  };
  map.on('render', check);
  map.triggerRepaint();
  return () => map.off('render', check);
}

interface LayerInput {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly state: MapState;
  readonly fleet: Fleet | undefined;
  readonly tones: Uint8Array;
  readonly onDevice: (deviceId: string) => void;
  readonly onDrawn?: () => void;
}

/** The fleet on the map: a worker finds the devices in view, which are drawn as points and clusters, and listed. */
export function useFleetLayer({ box, state, fleet, tones, onDevice, onDrawn }: LayerInput) {
  const [seen, setSeen] = useState<Seen>({ fleet: NO_FLEET, listed: [], inView: 0 });
  const [clusters, setClusters] = useState<Clusters<Fleet> | undefined>();
  const ready = state.kind === 'ready' ? state.ready : undefined;
  const drawing = useRef<ReadyMap | undefined>(undefined);
  const drawnRef = useRef(onDrawn);
  drawnRef.current = onDrawn;
  const isKnown = fleet !== undefined;
  usePointer(ready, onDevice);

  useEffect(() => {
    const made = openClusters(NO_FLEET, (of, result) => {
      setSeen({ fleet: of, listed: result.listed, inView: result.inView });
      if (drawing.current === undefined) return;
      drawShown(drawing.current, of, result);
      if (box.current !== null)
        noteDrawn(drawing.current, box.current, result.inView, () => drawnRef.current?.());
    });
    setClusters(made);
    return () => made.close();
  }, [box]);

  useEffect(() => {
    drawing.current = ready;
    if (clusters === undefined || fleet === undefined) return;
    clusters.load(fleet, tones);
    if (ready !== undefined) clusters.query(viewOf(ready), ready.map.getZoom());
    else if (state.kind === 'failed') clusters.query(boundsOf(fleet.latitudes, fleet.longitudes), 0);
  }, [clusters, fleet, tones, ready, state.kind]);

  useEffect(() => {
    if (clusters === undefined || ready === undefined || !isKnown) return;
    const { map } = ready;
    const query = () => clusters.query(viewOf(ready), map.getZoom());
    const follow = () => {
      if (!clusters.covers(viewOf(ready), map.getZoom())) query();
    };
    const subscriptions = [map.on('move', follow), map.on('moveend', query)];
    return () => {
      for (const one of subscriptions) one.unsubscribe();
    };
  }, [clusters, ready, isKnown]);

  return { seen, find: clusters?.find };
}

/** A click on a device selects it; a click on a cluster zooms into it. */
function usePointer(ready: ReadyMap | undefined, onDevice: (deviceId: string) => void): void {
  const choose = useRef(onDevice);
  choose.current = onDevice;
  useEffect(() => {
    if (ready === undefined) return;
    const { map } = ready;
    const open = ({ features, lngLat }: MapMouseEvent & { features?: MapGeoJSONFeature[] }) => {
      const { id, opensAt } = features?.[0]?.properties ?? {};
      if (id !== undefined) return choose.current(String(id));
      map.easeTo({ center: lngLat, zoom: Math.max(map.getZoom() + 1, Number(opensAt)) });
    };
    const point = (cursor: string) => () => {
      map.getCanvas().style.cursor = cursor;
    };
    const subscriptions = [
      map.on('click', 'points', open),
      map.on('mouseenter', 'points', point('pointer')),
      map.on('mouseleave', 'points', point('')),
    ];
    return () => {
      for (const one of subscriptions) one.unsubscribe();
    };
  }, [ready]);
}

interface AfarInput {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly state: MapState;
  /** Undefined when there is nothing to draw, or the full fleet is known. */
  readonly afar: Afar | undefined;
  /** Called when it is drawn, or when there is no map. */
  readonly onDrawn: () => void;
}

/** Draws the counted fleet until all positions are known. */
export function useAfarLayer({ box, state, afar, onDrawn }: AfarInput): void {
  const drawnRef = useRef(onDrawn);
  drawnRef.current = onDrawn;
  const ready = state.kind === 'ready' ? state.ready : undefined;
  useEffect(() => {
    if (state.kind === 'failed') drawnRef.current();
  }, [state.kind]);
  useEffect(() => {
    if (ready === undefined || afar === undefined || box.current === null) return;
    const draw = () => drawPoints(ready, afar.ids, clusterCounts(afar, ready.map.getZoom()));
    draw();
    const forget = noteDrawn(ready, box.current, countOf(afar), () => drawnRef.current());
    const moved = ready.map.on('moveend', draw);
    return () => {
      forget();
      moved.unsubscribe();
    };
  }, [ready, afar, box]);
}
