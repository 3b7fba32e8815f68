import type { CSSProperties, ReactNode, RefObject } from 'react';
import { TONE_TOKENS } from '../../map/overlay.ts';
import type { MapState } from '../../map/use-map.ts';
import type { Coloring } from './tone-numbers.ts';
import { legendOf } from './tones.ts';

interface MapBoxProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly state: MapState;
  readonly coloring: Coloring;
  /** The selection rectangle. */
  readonly drawn: CSSProperties | undefined;
  readonly showAll: () => void;
  /** Shown until the map is drawn. */
  readonly first: ReactNode;
  readonly children: ReactNode;
}

/** The map with the legend, the selection rectangle and the selected device. */
export function MapBox({ box, state, coloring, drawn, showAll, first, children }: MapBoxProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the map inside handles the other keys
    <div
      className="card map-box"
      onKeyDown={({ key, target }) => {
        if (key === '0' && target instanceof HTMLCanvasElement) showAll();
      }}
    >
      {state.kind === 'failed' && <p className="note">{state.why}</p>}
      <div className="map-canvas" ref={box} hidden={state.kind === 'failed'} />
      {state.kind !== 'failed' && first}
      {drawn !== undefined && <div className="map-rectangle" style={drawn} />}
      {state.kind === 'ready' && state.note !== undefined && <p className="strip map-note">{state.note}</p>}
      {state.kind !== 'failed' && (
        <ul className="map-legend small" aria-label="Legend">
          {legendOf(coloring).map((text, tone) => (
            <li key={text}>
              <span className="map-dot" style={{ background: `var(--${TONE_TOKENS[tone]})` }} />
              {text}
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}
