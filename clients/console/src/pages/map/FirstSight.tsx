import { useEffect, useRef } from 'react';
import { type Afar, countOf } from '../../map/afar.ts';
import { drawFirstSight } from '../../map/first-sight.ts';
import { pointColors } from '../../map/overlay.ts';

interface FirstSightProps {
  readonly afar: Afar;
  readonly onShown: () => void;
}

/** The fleet without a base map, while the map opens, which takes seconds without a graphics card. */
export function FirstSight({ afar, onShown }: FirstSightProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const shownRef = useRef(onShown);
  shownRef.current = onShown;
  useEffect(() => {
    const place = canvas.current!;
    drawFirstSight(place, afar, pointColors(place));
    const shown = () => {
      place.dataset['shown'] = String(countOf(afar));
      shownRef.current();
    };
    // The drawing is visible by the start of the second frame from now.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(shown);
    });
    return () => cancelAnimationFrame(frame);
  }, [afar]);
  return <canvas className="map-first-sight" ref={canvas} role="img" aria-label="All devices" />;
}
