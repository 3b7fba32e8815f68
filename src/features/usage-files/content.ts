import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The rows of one piece are parsed without a pause, so a larger piece would hold up the rest of the process. */
const PIECE_BYTES = 64 * 1024;
/** Hashing a piece costs next to nothing, so larger pieces are better here. */
const HASHED_BYTES = 1024 * 1024;

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/** Reads the file, decompressed if it is compressed, whatever its name. */
export async function readContent(
  path: string,
  signal: AbortSignal,
  pieceBytes = PIECE_BYTES,
): Promise<Readable> {
  const packed = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: pieceBytes, signal });
  // An error of the file stream reaches the reader through the pipeline.
  return packed ? pipeline(file, createGunzip({ chunkSize: pieceBytes }), () => {}) : file;
}

/** Equal contents have equal hashes, compressed or not. */
export async function hashContent(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await readContent(path, signal, HASHED_BYTES)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
