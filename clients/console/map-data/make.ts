import { writeFileSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Tile, writeArchive } from './archive.ts';
import { type Feature, openSources } from './sources.ts';

/** Last zoom with new detail; above it the map is only enlarged, because the sources have no more. */
const MAX_ZOOM = 6;
const BYTES_MAX = 5_000_000;
const OUT = fileURLToPath(new URL('world.pmtiles', import.meta.url));

const [, , folder] = argv;
if (folder === undefined)
  throw new Error('Give the folder of the sources as an argument; README.md says how to get them.');
const sources = openSources(folder);
const { GeoJSONVT, fromGeojsonVt } = await sources.tiler();

const point = (place: readonly number[], properties: Feature['properties']): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: place.map((degrees) => Number(degrees.toFixed(3))) },
});
/** The file contains only the properties that the style uses: the first zoom and the name. */
const only = (features: readonly Feature[], from: (feature: Feature) => number): readonly Feature[] =>
  features.map((feature) => ({ ...feature, properties: { z: from(feature) } }));
const zoomIn =
  (name: string, fallback = 0) =>
  ({ properties }: Feature) =>
    Math.max(0, Math.floor(Number(properties[name] ?? fallback)));

/** Population, and the first zoom that names such a town; capitals show one zoom earlier. */
const SHOWN_FROM = [
  [4_000_000, 3],
  [1_000_000, 4],
  [300_000, 5],
  [100_000, 6],
  [30_000, 7],
  [8_000, 8],
  [0, 9],
] as const;
const NORTH_AMERICA = new Set(['US', 'CA', 'MX', 'PR']);
/** Countries whose state borders show from afar; those of others would be a grey mesh. */
const LARGE = new Set(['US', 'CA', 'MX', 'BR', 'AU', 'RU', 'IN', 'CN', 'ID', 'ZA', 'AR', 'KZ']);
const PEOPLE_MIN = 15_000;
const PEOPLE_MIN_NEAR = 1_500;
/** Parts of towns, and abandoned towns. */
const NOT_A_TOWN = /^PPL[XWHQ]|^PPLCH$/;

const towns = sources
  .cities()
  .filter(
    ({ featureCode, country, population }) =>
      !NOT_A_TOWN.test(featureCode) &&
      population >= (NORTH_AMERICA.has(country) ? PEOPLE_MIN_NEAR : PEOPLE_MIN),
  )
  .sort((a, b) => b.population - a.population);
const shownFrom = (population: number, featureCode: string): number =>
  SHOWN_FROM.find(([people]) => population >= people)![1] - (featureCode === 'PPLC' ? 1 : 0);

const LAYERS: Readonly<Record<string, readonly Feature[]>> = {
  land: only(sources.shapes('ne_10m_land'), () => 0),
  urban: only(sources.shapes('ne_50m_urban_areas'), zoomIn('min_zoom', 4)),
  lakes: only(
    [...sources.shapes('ne_10m_lakes'), ...sources.shapes('ne_10m_lakes_north_america')],
    zoomIn('min_zoom'),
  ),
  rivers: only(sources.shapes('ne_50m_rivers_lake_centerlines'), zoomIn('min_zoom')),
  roads: only(sources.roads(), ({ properties }) => (Number(properties['rank']) <= 5 ? 4 : 6)),
  states: only(
    [
      sources.statesOfUs(),
      ...sources.statesOfWorld().filter(({ properties }) => properties['country'] !== 'US'),
    ],
    ({ properties }) => (LARGE.has(String(properties['country'])) ? 3 : 5),
  ),
  borders: only(sources.shapes('ne_10m_admin_0_boundary_lines_land'), () => 0),
  countryNames: sources
    .shapes('ne_50m_admin_0_countries')
    .map(({ properties: { NAME, LABEL_X, LABEL_Y, MIN_LABEL } }) =>
      point([Number(LABEL_X), Number(LABEL_Y)], { n: NAME!, z: Math.floor(Number(MIN_LABEL)) }),
    ),
  stateNames: sources
    .shapes('ne_50m_admin_1_states_provinces')
    .map(({ properties: { name, postal, longitude, latitude, min_label } }) =>
      point([Number(longitude), Number(latitude)], {
        n: name!,
        s: postal ?? '',
        z: Math.floor(Number(min_label)),
      }),
    ),
  towns: towns.map(({ name, population, featureCode, loc }) =>
    point(loc.coordinates, { n: name, z: shownFrom(population, featureCode) }),
  ),
};

const OPTIONS = { indexMaxPoints: 0, extent: 4_096 };
/** Tolerance in tile units, eight to a pixel. Tiles that are drawn enlarged need finer shapes. */
const toleranceAt = (z: number): number => (z === MAX_ZOOM ? 1.5 : 6);
/** Features are in the tiles one zoom before they show, for views between two zooms. */
const isIn = (z: number) => (feature: Feature) =>
  Number(feature.properties['z']) <= z + (z === MAX_ZOOM ? 99 : 1);

function cut(z: number): Tile[] {
  const layers = Object.entries(LAYERS).map(([name, all]) => {
    const features = all.filter(isIn(z));
    const isPoint = features[0]?.geometry.type === 'Point';
    // The library does not simplify at its last zoom.
    const options = {
      ...OPTIONS,
      maxZoom: z + 1,
      indexMaxZoom: z,
      tolerance: toleranceAt(z),
      buffer: isPoint ? 0 : 32,
    };
    return [name, new GeoJSONVT({ type: 'FeatureCollection', features }, options)] as const;
  });
  const side = 2 ** z;
  return Array.from({ length: side * side }, (_, n) => ({ z, x: n % side, y: Math.floor(n / side) })).flatMap(
    (at) => {
      const parts = layers.flatMap(([name, index]) => {
        const tile = index.getTile(at.z, at.x, at.y);
        return tile === null || tile.features.length === 0 ? [] : [[name, tile] as const];
      });
      if (parts.length === 0) return [];
      const bytes = fromGeojsonVt(Object.fromEntries(parts), { version: 2, extent: OPTIONS.extent });
      return [{ ...at, bytes }];
    },
  );
}

const tiles = Array.from({ length: MAX_ZOOM + 1 }, (_, z) => cut(z)).flat();
/** For the search: name, region, longitude and latitude in thousandths, largest population first. */
const places = towns.map(({ name, country, adminCode, loc: { coordinates } }) => [
  name,
  NORTH_AMERICA.has(country) && country !== 'MX' && /^[A-Z]{2}$/.test(adminCode)
    ? `${adminCode}, ${country}`
    : country,
  ...coordinates.map((degrees) => Math.round(degrees * 1_000)),
]);
const attribution = 'Natural Earth, US Census Bureau, GeoNames (CC BY 4.0)';
const file = writeArchive(tiles, MAX_ZOOM, {
  name: 'Linekeeper base map',
  attribution,
  vector_layers: Object.keys(LAYERS).map((id) => ({ id, fields: {} })),
  places: places.map((place) => place.join('|')).join('\n'),
});
if (file.length > BYTES_MAX) throw new Error(`the file has ${file.length} bytes; ${BYTES_MAX} are allowed`);
writeFileSync(OUT, file);
stdout.write(`${tiles.length} tiles, ${towns.length} towns, ${file.length} bytes\n`);
