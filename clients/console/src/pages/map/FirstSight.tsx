import { useEffect, useRef } from 'react';
import { type Afar, countOf } from '../../map/afar.ts';
import { drawFirstSight } from '../../map/first-sight.ts';
import { pointColors } from '../../map/overlay.ts';

interface FirstSightProps {
  readonly afar: Afar;
  readonly onShown: () => void;
}

/** The fleet on plain ground, while the map is being opened: without a graphics card that takes seconds. */
export function FirstSight({ afar, onShown }: FirstSightProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const tell = useRef(onShown);
  tell.current = onShown;
  useEffect(() => {
    const place = canvas.current!;
    drawFirstSight(place, afar, pointColors(place));
    const shown = () => {
      place.dataset['shown'] = String(countOf(afar));
      tell.current();
    };
    // It is on the screen when the next frame but one begins.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(shown);
    });
    return () => cancelAnimationFrame(frame);
  }, [afar]);
  return <canvas className="map-first-sight" ref={canvas} role="img" aria-label="All devices" />;
}
