import type { Map as GlMap, StyleSpecification } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import glWorker from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import type { PMTiles } from 'pmtiles';
import world from '../../map-data/world.pmtiles?url';
import { type BaseColors, baseStyle } from './base-style.ts';
import { type Bounds, FIT } from './mercator.ts';
import { streetLayers } from './street-style.ts';

/** The service writes it into the page: the address of a style, the path of a PMTiles file, or nothing. */
const written = document.querySelector<HTMLMetaElement>('meta[name="linekeeper-map"]')?.content ?? '';
const STREETS = written.startsWith('__') ? '' : written;
const isStyle = /^https?:/.test(STREETS);
const PICTURE_PX = 256;

const absolute = (path: string): string => new URL(path, location.href).href;

/** The map needs WebGL, from a graphics card or from software. */
export const hasWebGl = (): boolean => document.createElement('canvas').getContext('webgl2') !== null;

async function load() {
  const [gl, { PMTiles, Protocol }] = await Promise.all([import('maplibre-gl'), import('pmtiles')]);
  gl.setWorkerUrl(absolute(glWorker));
  // Starts the library's worker while the bounds are still being requested.
  gl.prewarm();
  const protocol = new Protocol();
  const base = new PMTiles(absolute(world));
  protocol.add(base);
  // Also reads the file's directory early; a failure shows when a tile is requested.
  base.getHeader().catch(() => {});
  gl.addProtocol('pmtiles', protocol.tile);
  return { gl, base, openTiles: (path: string) => new PMTiles(absolute(path)) };
}

let loading: ReturnType<typeof load> | undefined;
/** Loaded once, with the first map; a failure is not cached. */
export function loadEngine(): ReturnType<typeof load> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const FILES = { world: `pmtiles://${absolute(world)}`, streets: `pmtiles://${absolute(STREETS)}` };

/** Vector tiles get layers over the base map; raster tiles are drawn unchanged. */
async function withStreets(style: StyleSpecification, tiles: PMTiles, colors: BaseColors) {
  const { tileType } = await tiles.getHeader();
  const isVector = tileType === 1;
  const source = isVector
    ? { type: 'vector' as const, url: FILES.streets }
    : { type: 'raster' as const, url: FILES.streets, tileSize: PICTURE_PX };
  const layers = isVector
    ? streetLayers(colors)
    : [{ id: 'streets', type: 'raster' as const, source: 'streets' }];
  const names = style.layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: { ...style.sources, streets: source },
    layers: [...style.layers.slice(0, names), ...layers, ...style.layers.slice(names)],
  };
}

/** The base map in these colours, with streets if the installation has them. */
export async function styleOf(colors: BaseColors): Promise<StyleSpecification | string> {
  if (isStyle) return STREETS;
  const style = baseStyle(FILES.world, colors);
  if (STREETS === '') return style;
  const { openTiles } = await loadEngine();
  return withStreets(style, openTiles(STREETS), colors);
}

export const ownStyle = (colors: BaseColors): StyleSpecification => baseStyle(FILES.world, colors);

export interface OpenedMap {
  readonly map: GlMap;
  readonly fit: (bounds: Bounds, animate?: boolean) => void;
}

const ZOOM_MAX = 18;

export async function openMap(
  container: HTMLElement,
  colors: BaseColors,
  bounds: Bounds,
): Promise<OpenedMap> {
  const [{ gl }, style] = await Promise.all([loadEngine(), styleOf(colors)]);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = new gl.Map({
    container,
    style,
    bounds: [...bounds] as [number, number, number, number],
    fitBoundsOptions: FIT,
    maxZoom: ZOOM_MAX,
    // Shows a single copy of the world, so that counts in view are correct.
    renderWorldCopies: false,
    // Shift and drag selects devices instead of zooming.
    boxZoom: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: { compact: false },
    fadeDuration: still ? 0 : 200,
    // Rotation is off, so that north stays up and bounds stay rectangles.
    keyboard: true,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new gl.ScaleControl({ unit: navigator.language === 'en-US' ? 'imperial' : 'metric' }));
  const fit: OpenedMap['fit'] = (to, animate = true) =>
    map.fitBounds([...to] as [number, number, number, number], {
      ...FIT,
      animate: animate && !still,
    });
  return { map, fit };
}
