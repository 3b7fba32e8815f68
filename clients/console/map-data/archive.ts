import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';

export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly bytes: Uint8Array;
}

const HEAD_BYTES = 127;
/** Size of a reader's first request, which must include the directory. */
const FIRST_READ_BYTES = 16_384;
const GZIP = 2;
const VECTOR = 1;

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) + 0x80);
  return [...bytes, value];
}

interface Entry {
  readonly id: number;
  readonly offset: number;
  readonly length: number;
}

/** Columns one after the other: differences of ids, run lengths, lengths, and offsets of entries that are not adjacent. */
function writeDirectory(entries: readonly Entry[]): Buffer {
  const follows = ({ offset }: Entry, n: number) =>
    n > 0 && offset === entries[n - 1]!.offset + entries[n - 1]!.length;
  const columns = [
    [entries.length],
    entries.map(({ id }, n) => id - (entries[n - 1]?.id ?? 0)),
    entries.map(() => 1),
    entries.map(({ length }) => length),
    entries.map((entry, n) => (follows(entry, n) ? 0 : entry.offset + 1)),
  ];
  return gzipSync(Buffer.from(columns.flat().flatMap(varint)), { level: 9 });
}

/** Tiles in the order of their ids; equal content, such as open sea, is stored once. */
function placeTiles(tiles: readonly Tile[]) {
  const chunks: Buffer[] = [];
  const known = new Map<string, { readonly offset: number; readonly length: number }>();
  let end = 0;
  const entries = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes }))
    .sort((a, b) => a.id - b.id)
    .map(({ id, bytes }): Entry => {
      const chunk = gzipSync(bytes, { level: 9 });
      const key = chunk.toString('latin1');
      const place = known.get(key) ?? { offset: end, length: chunk.length };
      if (!known.has(key)) {
        known.set(key, place);
        chunks.push(chunk);
        end += chunk.length;
      }
      return { id, ...place };
    });
  return { entries, contents: known.size, data: Buffer.concat(chunks) };
}

/** A PMTiles file, version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */
export function writeArchive(tiles: readonly Tile[], maxZoom: number, metadata: object): Buffer {
  const { entries, contents, data } = placeTiles(tiles);
  const directory = writeDirectory(entries);
  if (HEAD_BYTES + directory.length > FIRST_READ_BYTES)
    throw new Error(`the directory has ${directory.length} bytes; ${FIRST_READ_BYTES - HEAD_BYTES} fit`);
  const json = gzipSync(JSON.stringify(metadata), { level: 9 });
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('PMTiles', 'latin1');
  head[7] = 3;
  const jsonAt = HEAD_BYTES + directory.length;
  const dataAt = jsonAt + json.length;
  const numbers = [
    ...[HEAD_BYTES, directory.length, jsonAt, json.length, dataAt, 0, dataAt, data.length],
    ...[entries.length, entries.length, contents],
  ];
  for (const [n, value] of numbers.entries()) head.writeBigUInt64LE(BigInt(value), 8 + n * 8);
  head.set([1, GZIP, GZIP, VECTOR, 0, maxZoom], 96);
  for (const [n, degrees] of [-180, -85, 180, 85].entries()) head.writeInt32LE(degrees * 1e7, 102 + n * 4);
  return Buffer.concat([head, directory, json, data]);
}
