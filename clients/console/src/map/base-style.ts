import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { colorOf } from '../parts/chart-options.ts';

const TOKENS = ['water', 'land', 'urban', 'river', 'road', 'border', 'name', 'name-soft', 'halo'] as const;
export type BaseColors = Readonly<Record<(typeof TOKENS)[number], string>>;

export const baseColors = (place: HTMLElement): BaseColors =>
  Object.fromEntries(TOKENS.map((token) => [token, colorOf(place, `map-${token}`)])) as BaseColors;

/** The font of the page: the browser draws the letters, so no glyphs are downloaded. */
export const FONT = ['system-ui'];

const SHOWN: ExpressionSpecification = ['>=', ['zoom'], ['get', 'z']];
const byZoom = (...stops: readonly number[]): ExpressionSpecification =>
  ['interpolate', ['linear'], ['zoom'], ...stops] as unknown as ExpressionSpecification;

const line = (
  id: string,
  color: string,
  width: ExpressionSpecification,
  more: object = {},
): LayerSpecification => ({
  id,
  type: 'line',
  source: 'world',
  'source-layer': id,
  filter: SHOWN,
  layout: { 'line-join': 'round' },
  paint: { 'line-color': color, 'line-width': width, ...more },
});
const area = (id: string, color: string): LayerSpecification => ({
  id,
  type: 'fill',
  source: 'world',
  'source-layer': id,
  filter: SHOWN,
  paint: { 'fill-color': color },
});
const names = (
  id: string,
  colors: BaseColors,
  layout: object,
  { soft = false, maxzoom = 24 }: { readonly soft?: boolean; readonly maxzoom?: number } = {},
): LayerSpecification => ({
  id,
  type: 'symbol',
  source: 'world',
  'source-layer': id,
  filter: SHOWN,
  maxzoom,
  layout: { 'text-field': ['get', 'n'], 'text-font': FONT, 'symbol-sort-key': ['get', 'z'], ...layout },
  paint: {
    'text-color': colors[soft ? 'name-soft' : 'name'],
    'text-halo-color': colors.halo,
    'text-halo-width': 1.2,
  },
});

/** Coast, lakes, borders and names from the file that comes with the console; see map-data. */
export function baseStyle(url: string, colors: BaseColors): StyleSpecification {
  return {
    version: 8,
    sources: {
      world: { type: 'vector', url, attribution: 'Natural Earth · US Census Bureau · GeoNames (CC BY 4.0)' },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colors.water } },
      area('land', colors.land),
      area('urban', colors.urban),
      area('lakes', colors.water),
      line('rivers', colors.river, byZoom(3, 0.4, 10, 1.6)),
      line('roads', colors.road, byZoom(4, 0.4, 10, 1.6)),
      line('states', colors.border, byZoom(3, 0.5, 8, 1.2), { 'line-dasharray': [3, 2] }),
      line('borders', colors.border, byZoom(2, 0.7, 8, 2)),
      names('towns', colors, {
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 11, 10, ['-', 17, ['get', 'z']]],
        'text-padding': 6,
      }),
      names(
        'stateNames',
        colors,
        {
          'text-field': ['step', ['zoom'], ['get', 's'], 4.5, ['get', 'n']],
          'text-size': byZoom(3, 10, 7, 14),
          'text-letter-spacing': 0.08,
        },
        { soft: true, maxzoom: 8 },
      ),
      names(
        'countryNames',
        colors,
        { 'text-size': byZoom(2, 11, 6, 16), 'text-transform': 'uppercase', 'text-letter-spacing': 0.1 },
        { soft: true, maxzoom: 7 },
      ),
    ],
  };
}
