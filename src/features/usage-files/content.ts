import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Rows of a larger piece would be read in one turn, and what else the process does would wait for it. */
const PIECE_BYTES = 64 * 1024;
/** To hash one costs next to nothing: fewer turns are better. */
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

/** What the file holds, unpacked where it is packed, whatever it is called. */
export async function readContent(
  path: string,
  signal: AbortSignal,
  pieceBytes = PIECE_BYTES,
): Promise<Readable> {
  const packed = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: pieceBytes, signal });
  // A failure of the file is one of what is read of it.
  return packed ? pipeline(file, createGunzip({ chunkSize: pieceBytes }), () => {}) : file;
}

/** The same for the same content, packed or not. */
export async function hashContent(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await readContent(path, signal, HASHED_BYTES)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
