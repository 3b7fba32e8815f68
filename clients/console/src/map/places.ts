import { loadEngine } from './engine.ts';

export interface Place {
  readonly name: string;
  /** The state and country shown with the name. */
  readonly region: string;
  readonly at: readonly [longitude: number, latitude: number];
}

const DEGREE = 1_000;

export function readPlace(line: string): Place {
  const [name = '', region = '', longitude, latitude] = line.split('|');
  return { name, region, at: [Number(longitude) / DEGREE, Number(latitude) / DEGREE] };
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

let reading: Promise<readonly string[]> | undefined;
/** The names are stored behind the tiles in the map file, and are loaded at the first search. */
async function readLines(): Promise<readonly string[]> {
  const { base } = await loadEngine();
  const { places } = (await base.getMetadata()) as { readonly places: string };
  return places.split('\n');
}

/** Names with this beginning, largest place first, which is the order of the lines. */
export function findAmong(lines: readonly string[], text: string, limit: number): readonly Place[] {
  const [wanted, inRegion = ''] = plain(text).split(/\s*,\s*/);
  if (wanted === undefined || wanted === '') return [];
  const found: Place[] = [];
  for (const line of lines) {
    if (!plain(line.slice(0, line.indexOf('|'))).startsWith(wanted)) continue;
    const place = readPlace(line);
    if (!plain(place.region).includes(inRegion)) continue;
    found.push(place);
    if (found.length === limit) break;
  }
  return found;
}

export async function findPlaces(text: string, limit: number): Promise<readonly Place[]> {
  reading ??= readLines().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return findAmong(await reading, text, limit);
}
