import type { Feature, FeatureCollection } from 'geojson';
import type { GeoJSONSource, Map as GlMap, LayerSpecification } from 'maplibre-gl';
import { colorOf } from '../parts/chart-options.ts';
import { FONT } from './base-style.ts';
import type { Shown } from './grid.ts';
import { pxAtZoom0 } from './mercator.ts';

const SOURCES = ['track', 'accuracy', 'points', 'chosen'] as const;
type SourceName = (typeof SOURCES)[number];

export interface PointColors {
  /** In the order of tones. */
  readonly tones: readonly string[];
  readonly cluster: string;
  readonly onCluster: string;
  readonly edge: string;
  readonly chosen: string;
}

/** The colours of points; a legend gives their meaning. */
export const TONE_TOKENS = ['chart-3', 'chart-1', 'chart-2', 'text-soft'] as const;

export const pointColors = (place: HTMLElement): PointColors => ({
  tones: TONE_TOKENS.map((token) => colorOf(place, token)),
  cluster: colorOf(place, 'accent'),
  onCluster: colorOf(place, 'on-accent'),
  edge: colorOf(place, 'surface'),
  chosen: colorOf(place, 'text'),
});

/** Shortened, so that it fits its circle. */
export const countText = (count: number): string =>
  count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;

export const radiusOf = (count: number): number => (count === 1 ? 6 : 11 + Math.log10(count) * 5);
/** Smaller circles would hide behind their point. */
const CIRCLES_FROM_ZOOM = 6;
const ZOOM_END = 24;

export const pointAt = (
  [longitude, latitude]: readonly [number, number],
  properties: Feature['properties'],
): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
});

/** A circle with a radius in metres, converted to pixels at zoom 0; the layer doubles them with each zoom level. */
export const circleAt = (place: readonly [number, number], metres: number, tone: number): Feature =>
  pointAt(place, { tone, px: pxAtZoom0(metres, place[1]) });

export const shownFeature = (shown: Shown, properties: object): Feature =>
  pointAt([shown.longitude, shown.latitude], {
    ...properties,
    tone: shown.tone,
    radius: radiusOf(shown.count),
    ...(shown.count > 1 && { text: countText(shown.count) }),
  });

function layersOf({ tones, cluster, onCluster, edge, chosen }: PointColors): LayerSpecification[] {
  const toned = [
    'match',
    ['get', 'tone'],
    ...tones.flatMap((color, tone) => [tone, color]),
    cluster,
  ] as never;
  const growing = ['interpolate', ['exponential', 2], ['zoom'], 0, ['get', 'px']];
  return [
    {
      ...{ id: 'track', type: 'line', source: 'track', filter: ['==', ['geometry-type'], 'LineString'] },
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: { 'line-color': chosen, 'line-width': 2, 'line-opacity': 0.75 },
    },
    {
      ...{ id: 'track-fixes', type: 'circle', source: 'track', filter: ['==', ['geometry-type'], 'Point'] },
      paint: { 'circle-radius': 3, 'circle-color': chosen, 'circle-opacity': 0.75 },
    },
    {
      ...{ id: 'accuracy', type: 'circle', source: 'accuracy', minzoom: CIRCLES_FROM_ZOOM },
      paint: {
        'circle-radius': [...growing, ZOOM_END, ['*', ['get', 'px'], 2 ** ZOOM_END]] as never,
        'circle-color': toned,
        'circle-opacity': 0.14,
        'circle-stroke-color': toned,
        'circle-stroke-width': 1,
        'circle-stroke-opacity': 0.6,
      },
    },
    {
      ...{ id: 'points', type: 'circle', source: 'points' },
      paint: {
        'circle-radius': ['get', 'radius'],
        'circle-color': toned,
        'circle-stroke-color': edge,
        'circle-stroke-width': 1.5,
      },
    },
    {
      ...{ id: 'counts', type: 'symbol', source: 'points', filter: ['has', 'text'] },
      layout: {
        'text-field': ['get', 'text'],
        'text-font': FONT,
        'text-size': 12,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': onCluster },
    },
    {
      ...{ id: 'chosen', type: 'circle', source: 'chosen' },
      paint: {
        'circle-radius': 11,
        'circle-color': 'rgba(0,0,0,0)',
        'circle-stroke-color': chosen,
        'circle-stroke-width': 3,
      },
    },
  ];
}

export interface Overlay {
  set(name: SourceName, features: readonly Feature[]): void;
  /** Call it after each change of the style, which removes added sources and layers. */
  attach(colors: PointColors): void;
}

const collect = (features: readonly Feature[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: [...features],
});

/** Everything the console draws on top of a base map. */
export function openOverlay(map: GlMap): Overlay {
  const held = new Map<SourceName, readonly Feature[]>();
  return {
    set(name, features) {
      held.set(name, features);
      map.getSource<GeoJSONSource>(name)?.setData(collect(features));
    },
    attach(colors) {
      for (const name of SOURCES)
        map.addSource(name, { type: 'geojson', data: collect(held.get(name) ?? []), tolerance: 0 });
      for (const layer of layersOf(colors)) map.addLayer(layer);
    },
  };
}
