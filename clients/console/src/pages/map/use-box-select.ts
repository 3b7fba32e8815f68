import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import type { Bounds } from '../../map/mercator.ts';
import type { ReadyMap } from '../../map/use-map.ts';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle drawn with the Shift key held down; `onSelect` gets the devices in it. */
export function useBoxSelect(
  ready: ReadyMap | undefined,
  onSelect: (bounds: Bounds) => void,
): Box | undefined {
  const [box, setBox] = useState<Box | undefined>();
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    if (ready === undefined) return;
    const { map } = ready;
    let from: { readonly x: number; readonly y: number } | undefined;
    const begin = (event: MapMouseEvent) => {
      if (!event.originalEvent.shiftKey) return;
      event.preventDefault();
      from = event.point;
    };
    const draw = ({ point }: MapMouseEvent) => {
      if (from === undefined) return;
      setBox({
        left: Math.min(from.x, point.x),
        top: Math.min(from.y, point.y),
        width: Math.abs(from.x - point.x),
        height: Math.abs(from.y - point.y),
      });
    };
    const end = ({ point }: MapMouseEvent) => {
      if (from === undefined) return;
      const a = map.unproject([from.x, from.y]);
      const b = map.unproject([point.x, point.y]);
      from = undefined;
      setBox(undefined);
      const [west, east] = [Math.min(a.lng, b.lng), Math.max(a.lng, b.lng)];
      select.current([west, Math.min(a.lat, b.lat), east, Math.max(a.lat, b.lat)]);
    };
    const subscriptions = [map.on('mousedown', begin), map.on('mousemove', draw), map.on('mouseup', end)];
    return () => {
      for (const one of subscriptions) one.unsubscribe();
    };
  }, [ready]);
  return box;
}
