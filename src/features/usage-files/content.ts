import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type LineMark, lineMarker, type MarkPiece } from './line-marks.ts';

/** The whole file cannot be taken. The message completes "The file …". */
export class BadFile extends Error {}
/** It is no longer the one whose rows were taken. */
export class FileChanged extends BadFile {}

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

/** The first lines of a content that was taken before, and the content whose ids they have. */
interface KnownLines {
  readonly hash: string;
  readonly lines: number;
}

/** The content of a file that was taken before. */
export interface TakenContent {
  readonly hash: string;
  readonly bytes: number;
  /** Set if it was itself part of one taken before. */
  readonly within: KnownLines | null;
}

/** What is known of the contents taken before. */
interface KnownContents {
  /** Those with this beginning. */
  listParts(headHash: string): Promise<readonly TakenContent[]>;
  /** The hash of the first one with this beginning that has this mark. */
  findWhole(headHash: string, at: LineMark): Promise<string | undefined>;
  /** Keeps the marks of this content, so that its parts are found later. */
  keepMarks(pieces: readonly MarkPiece[]): Promise<void>;
}

const NOTHING_KNOWN: KnownContents = {
  listParts: async () => [],
  findWhole: async () => undefined,
  keepMarks: async () => {},
};

/** What identifies the content of a file and of its rows. */
export interface Content extends TakenContent {
  /** Files that begin with the same rows may be parts of one another. */
  readonly headHash: string;
  /** By the line of a row. */
  readonly idOf: (line: number) => string;
}

/** Half of a hash identifies a content safely, and keeps the id of each row short. */
const ID_BYTES = 16;
const idIn = (hash: string, line: number) =>
  `${Buffer.from(hash, 'hex').toString('base64url', 0, ID_BYTES)}:${line}`;

const HEAD_MAX_BYTES = 128 * 1024;
const [LINE_FEED, RETURN] = [0x0a, 0x0d];

/** Where the first lines end; undefined if they are not all there yet. */
function endOfLines(bytes: Buffer, count: number): number | undefined {
  let at = -1;
  for (let n = 0; n < count; n++) {
    at = bytes.indexOf(LINE_FEED, at + 1);
    if (at < 0) return bytes.length >= HEAD_MAX_BYTES ? HEAD_MAX_BYTES : undefined;
  }
  return Math.min(bytes[at - 1] === RETURN ? at - 1 : at, HEAD_MAX_BYTES);
}

const countLines = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
};

/** Finds which of the given contents this one begins with, and whose ids the lines of each have. */
function partFinder(given: readonly TakenContent[]) {
  const hash = createHash('sha256');
  const parts = given.toSorted((a, b) => a.bytes - b.bytes);
  const found: KnownLines[] = [];
  let [bytes, lines, next] = [0, 0, 0];
  return {
    add(chunk: Buffer): void {
      let from = 0;
      for (
        let part = parts[next];
        part !== undefined && part.bytes < bytes + chunk.length;
        part = parts[++next]
      ) {
        const to = part.bytes - bytes;
        hash.update(chunk.subarray(from, to));
        lines += countLines(chunk.subarray(from, to));
        from = to;
        if (hash.copy().digest('hex') !== part.hash) continue;
        // A last line without an end is the same row only if it ends here.
        const ends = chunk[to] === LINE_FEED || chunk[to] === RETURN;
        if (part.within !== null) found.push(part.within);
        found.push({ hash: part.hash, lines: ends ? lines + 1 : lines });
      }
      hash.update(chunk.subarray(from));
      if (next < parts.length) lines += countLines(chunk.subarray(from));
      bytes += chunk.length;
    },
    end(within: KnownLines | undefined): Omit<Content, 'headHash'> {
      const own = hash.digest('hex');
      if (within !== undefined) found.push(within);
      return {
        hash: own,
        bytes,
        within: within ?? null,
        idOf: (line: number) => idIn(found.find((part) => line <= part.lines)?.hash ?? own, line),
      };
    },
  };
}

interface Wanted {
  readonly path: string;
  /** As many lines as contain the first row. */
  readonly headLines: number;
  readonly bytesMax?: number | undefined;
  readonly linesMax?: number | undefined;
  readonly signal: AbortSignal;
}

/** Finds the content taken before that begins with this one, or with all of it except a last line that may be cut. */
async function findWithin(
  known: KnownContents,
  headHash: string,
  ends: readonly LineMark[],
): Promise<KnownLines | undefined> {
  for (const end of ends) {
    const hash = await known.findWhole(headHash, end);
    if (hash !== undefined) return { hash, lines: end.line };
  }
  return undefined;
}

/** Identifies a content and its rows, compressed or not, by what is known of those taken before. */
export async function hashContent(
  { path, headLines, bytesMax = Infinity, linesMax = Infinity, signal }: Wanted,
  known = NOTHING_KNOWN,
): Promise<Content> {
  let held = Buffer.alloc(0);
  let bytes = 0;
  let begun: { readonly headHash: string; readonly finder: ReturnType<typeof partFinder> } | undefined;
  const marker = lineMarker(linesMax);
  const begin = async (end: number) => {
    const headHash = createHash('sha256').update(held.subarray(0, end)).digest('hex');
    begun = { headHash, finder: partFinder(await known.listParts(headHash)) };
    begun.finder.add(held);
    return begun;
  };
  for await (const chunk of (await readContent(path, signal, HASHED_BYTES)) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new BadFile(`has more than ${bytesMax} bytes`);
    await known.keepMarks(marker.add(chunk));
    if (begun !== undefined) begun.finder.add(chunk);
    else {
      held = Buffer.concat([held, chunk]);
      const end = endOfLines(held, headLines);
      if (end !== undefined) await begin(end);
    }
  }
  const { headHash, finder } = begun ?? (await begin(held.length));
  const { rest, ends } = marker.end();
  await known.keepMarks(rest);
  return { headHash, ...finder.end(await findWithin(known, headHash, ends)) };
}
