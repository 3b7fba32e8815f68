import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createGzip } from 'node:zlib';

export const ROWS = 300_000;
/** The only bad row, apart from the endless one. */
export const BAD_ROW = 254_321;
export const PIECE_BYTES = 1024 * 1024;
/** Pieces of a line that does not end, and of blank lines. */
const ENDLESS_PIECES = 420;
export const BLANK_PIECES = 4;
const ROWS_OF_PIECE = 10_000;

function* pieces(): Generator<string> {
  yield 'START,IMSI,BYTES\n';
  for (let from = 0; from < ROWS; from += ROWS_OF_PIECE)
    yield Array.from({ length: ROWS_OF_PIECE }, (_, n) => {
      const row = from + n + 1;
      return `1768464000,311480000000001,${row === BAD_ROW ? 'x' : row}\n`;
    }).join('');
  for (let n = 0; n < BLANK_PIECES; n++) yield '\n'.repeat(PIECE_BYTES);
  for (let n = 0; n < ENDLESS_PIECES; n++) yield 'y'.repeat(PIECE_BYTES);
}

/** Writes a file that is small when compressed and hundreds of megabytes when decompressed; returns its bytes and hash. */
export async function writeLargeFile(path: string): Promise<{ bytes: number; hash: string }> {
  const [gzip, file, hash] = [createGzip({ level: 1 }), createWriteStream(path), createHash('sha256')];
  gzip.pipe(file);
  let bytes = 0;
  for (const piece of pieces()) {
    const octets = Buffer.from(piece);
    bytes += octets.length;
    hash.update(octets);
    if (!gzip.write(octets)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(file, 'close');
  return { bytes, hash: hash.digest('hex') };
}
