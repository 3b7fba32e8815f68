import { type GeoPermissibleObjects, geoMercator, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import states from 'us-atlas/states-10m.json?url';
import fineWorld from 'world-atlas/countries-50m.json?url';
import coarseWorld from 'world-atlas/countries-110m.json?url';

/** One piece of the map as a path in the mercator square, with what it covers: pieces out of view are not drawn. */
export interface Piece {
  readonly path: Path2D;
  readonly west: number;
  readonly east: number;
  readonly north: number;
  readonly south: number;
}

export interface BaseMap {
  readonly land: readonly Piece[];
  readonly borders: readonly Piece[];
}

/** Paths are made in numbers that a path can hold exactly enough; drawing scales them. */
export const SQUARE = 4_096;
const projection = geoMercator()
  .translate([SQUARE / 2, SQUARE / 2])
  .scale(SQUARE / (2 * Math.PI))
  .precision(0)
  .clipExtent([
    [0, 0],
    [SQUARE, SQUARE],
  ]);
const write = geoPath(projection).digits(2);

function pieceOf(shape: GeoPermissibleObjects): Piece[] {
  const text = write(shape);
  if (text === null) return [];
  const [[west, north], [east, south]] = write.bounds(shape);
  return [{ path: new Path2D(text), west, east, north, south }];
}

async function readTopology(url: string): Promise<Topology> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the map could not be read: ${answer.status}`);
  return (await answer.json()) as Topology;
}

const partsOf = (topology: Topology, name: string): GeometryCollection =>
  topology.objects[name] as GeometryCollection;

async function readWorld(url: string): Promise<BaseMap> {
  const topology = await readTopology(url);
  const countries = partsOf(topology, 'countries');
  const land = feature(topology, countries).features.flatMap((country) => pieceOf(country));
  return { land, borders: pieceOf(mesh(topology, countries, (a, b) => a !== b)) };
}

export const readCoarseWorld = (): Promise<BaseMap> => readWorld(coarseWorld);

/** With the states of the US; large, so it comes when somebody looks closer. */
export async function readFineWorld(): Promise<BaseMap> {
  const [world, topology] = await Promise.all([readWorld(fineWorld), readTopology(states)]);
  const borders = pieceOf(mesh(topology, partsOf(topology, 'states'), (a, b) => a !== b));
  return { land: world.land, borders: [...world.borders, ...borders] };
}
