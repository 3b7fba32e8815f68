import { useEffect, useRef, useState } from 'react';
import { useTheme } from '../../app/theme.ts';
import { formatNumber } from '../../text/format.ts';
import { DeviceTip } from './DeviceTip.tsx';
import { colorsOf, draw, radiusOf } from './draw.ts';
import type { Fleet } from './fleet.ts';
import type { Shown } from './grid.ts';
import { useBaseMap } from './use-base-map.ts';
import { type ChangeView, useGestures } from './use-gestures.ts';
import { type Size, toScreen, type View, xOf, yOf, zoomed } from './view.ts';

/** A finger is thicker than a point. */
const REACH_PX = 10;

interface MapCanvasProps {
  readonly fleet: Fleet;
  readonly shown: readonly Shown[];
  readonly view: View;
  readonly size: Size;
  readonly change: ChangeView;
  readonly showAll: () => void;
  readonly onDevice: (deviceId: string) => void;
}

export function MapCanvas({ fleet, shown, view, size, change, showAll, onDevice }: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const base = useBaseMap(view.zoom);
  const [hovered, setHovered] = useState<Shown | undefined>();
  const colors = colorsOf(theme);

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current !== null) draw(canvas.current, { view, size, base, fleet, shown, colors });
    });
    return () => cancelAnimationFrame(frame);
  }, [view, size, base, fleet, shown, colors]);

  const placeOf = ({ longitude, latitude }: Shown) => toScreen(view, size, xOf(longitude), yOf(latitude));
  const findAt = ([x, y]: readonly [number, number]): Shown | undefined =>
    shown.findLast((one) => {
      const [left, top] = placeOf(one);
      return Math.hypot(left - x, top - y) <= Math.max(REACH_PX, radiusOf(one));
    });
  const gestures = useGestures(canvas, {
    size,
    change,
    showAll,
    onHover: (at) => setHovered(at && findAt(at)),
    onClick: (at) => {
      const one = findAt(at);
      if (one === undefined) return;
      if ('nth' in one) onDevice(fleet.ids[one.nth]!);
      else change((now) => zoomed(now, size, Math.max(1, one.opensAt - now.zoom), placeOf(one)));
    },
  });
  return (
    <>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a map is moved with keys, as its label says */}
      <canvas
        ref={canvas}
        className="map-canvas"
        data-over={hovered !== undefined}
        tabIndex={0}
        role="application"
        aria-label={`Map of ${formatNumber(fleet.ids.length)} devices. Arrow keys move it, plus and minus zoom, 0 shows all.`}
        {...gestures}
      />
      {hovered !== undefined && 'nth' in hovered && (
        <DeviceTip fleet={fleet} nth={hovered.nth} at={placeOf(hovered)} />
      )}
    </>
  );
}
