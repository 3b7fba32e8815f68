import type { ReactNode } from 'react';
import type { useCamera } from '../../map/use-camera.ts';
import { Button } from '../../parts/Button.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { formatNumber } from '../../text/format.ts';
import type { Coloring } from './tone-numbers.ts';
import { COLORINGS } from './tones.ts';

interface MapToolsProps {
  /** Undefined until loaded. */
  readonly located: number | undefined;
  readonly inView: number;
  readonly isReading: boolean;
  readonly coloring: Coloring;
  readonly setColoring: (coloring: string) => void;
  readonly camera: ReturnType<typeof useCamera>;
  /** Undefined for viewers who may not act on a selection. */
  readonly onSelect: (() => void) | undefined;
  /** The search. */
  readonly children: ReactNode;
}

function noteOf({ located, inView, isReading }: MapToolsProps): string | undefined {
  if (located === undefined) return undefined;
  const known = `${formatNumber(located)} ${located === 1 ? 'device' : 'devices'} located`;
  return isReading ? `${known}; loading their positions…` : `${known}, ${formatNumber(inView)} in view`;
}

export function MapTools(props: MapToolsProps) {
  const { inView, coloring, setColoring, camera, onSelect, children } = props;
  return (
    <PageHead title="Map" note={noteOf(props)}>
      {children}
      <select
        className="input map-colours"
        aria-label="Colours"
        value={coloring}
        onChange={({ target: { value } }) => setColoring(value === 'state' ? '' : value)}
      >
        {Object.entries(COLORINGS).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {onSelect !== undefined && (
        <Button disabled={inView === 0} onClick={onSelect} title="Or hold Shift and drag over the map">
          Select in view
        </Button>
      )}
      <Button onClick={() => camera.zoomBy(1)} aria-label="Zoom in">
        +
      </Button>
      <Button onClick={() => camera.zoomBy(-1)} aria-label="Zoom out">
        −
      </Button>
      <Button onClick={camera.showAll}>Show all</Button>
    </PageHead>
  );
}
