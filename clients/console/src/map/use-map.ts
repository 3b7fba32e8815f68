import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTheme } from '../app/theme.ts';
import './box.css';
import { baseColors } from './base-style.ts';
import { hasWebGl, loadEngine, type OpenedMap, openMap, ownStyle, styleOf } from './engine.ts';
import type { Bounds } from './mercator.ts';
import { type Overlay, openOverlay, pointColors } from './overlay.ts';

export interface ReadyMap extends OpenedMap {
  readonly overlay: Overlay;
}

export type MapState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'ready'; readonly ready: ReadyMap; readonly note?: string }
  | { readonly kind: 'failed'; readonly why: string };

const NO_WEBGL =
  'This browser cannot draw the map, because WebGL 2 is missing or turned off. You can still use the list of devices.';
const NOT_LOADED = 'The map could not be loaded. You can still use the list of devices.';
const OTHER_STYLE =
  'The map style of this installation could not be loaded. You see the built-in map instead.';

/** Opens a map in the box, in the colours of the theme. `bounds` is the first view; undefined until it is known. */
export function useMap(
  box: RefObject<HTMLDivElement | null>,
  bounds: Bounds | undefined,
  label: string,
): MapState {
  const theme = useTheme();
  const [state, setState] = useState<MapState>({ kind: 'opening' });
  const canBegin = bounds !== undefined;
  // Loads the library while the bounds are still being requested; opening the map reports a failure.
  useEffect(() => void loadEngine().catch(() => {}), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is opened once; later changes are passed to it
  useEffect(() => {
    const container = box.current;
    if (container === null || bounds === undefined) return;
    let isGone = false;
    let opened: OpenedMap | undefined;
    openMap(container, baseColors(container), bounds).then(
      (made) => {
        opened = made;
        if (isGone) return made.map.remove();
        const ready = { ...made, overlay: openOverlay(made.map) };
        let isLoaded = false;
        made.map.on('style.load', () => {
          isLoaded = true;
          ready.overlay.attach(pointColors(container));
          setState((now) => (now.kind === 'ready' ? now : { kind: 'ready', ready }));
        });
        made.map.on('error', () => {
          if (isLoaded) return;
          isLoaded = true;
          setState({ kind: 'ready', ready, note: OTHER_STYLE });
          made.map.setStyle(ownStyle(baseColors(container)), { diff: false });
        });
      },
      // Checked only after a failure, because opening a drawing context for the check takes as long as the
      // map's own.
      () => setState({ kind: 'failed', why: hasWebGl() ? NOT_LOADED : NO_WEBGL }),
    );
    return () => {
      isGone = true;
      opened?.map.remove();
    };
  }, [canBegin]);

  const map = state.kind === 'ready' ? state.ready.map : undefined;
  useEffect(() => {
    map?.getCanvas().setAttribute('aria-label', label);
  }, [map, label]);

  const drawnIn = useRef(theme);
  useEffect(() => {
    if (map === undefined || drawnIn.current === theme || box.current === null) return;
    drawnIn.current = theme;
    void styleOf(baseColors(box.current)).then((style) => map.setStyle(style, { diff: false }));
  }, [map, theme, box]);
  return state;
}
