import type { LayerSpecification } from 'maplibre-gl';
import { type BaseColors, FONT } from './base-style.ts';

const SOURCE = 'streets';

/** For files with the layers of the Protomaps basemap, like most PMTiles files of streets. */
export const streetLayers = (colors: BaseColors): LayerSpecification[] => [
  {
    ...{ id: 'streets-water', type: 'fill', source: SOURCE, 'source-layer': 'water' },
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': colors.water },
  },
  {
    ...{ id: 'streets-buildings', type: 'fill', source: SOURCE, 'source-layer': 'buildings', minzoom: 14 },
    paint: { 'fill-color': colors.urban },
  },
  {
    ...{ id: 'streets-roads', type: 'line', source: SOURCE, 'source-layer': 'roads', minzoom: 6 },
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: {
      'line-color': colors.road,
      'line-width': [
        ...['interpolate', ['exponential', 1.5], ['zoom'], 6, 0.4, 18],
        ['match', ['get', 'kind'], 'highway', 14, 'major_road', 10, 'minor_road', 6, 2],
      ] as never,
    },
  },
  {
    ...{ id: 'streets-names', type: 'symbol', source: SOURCE, 'source-layer': 'roads', minzoom: 13 },
    layout: {
      'symbol-placement': 'line',
      'text-field': ['get', 'name'],
      'text-font': FONT,
      'text-size': 11,
    },
    paint: { 'text-color': colors['name-soft'], 'text-halo-color': colors.halo, 'text-halo-width': 1.2 },
  },
];
