import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { readJson } from '../sdk/index.ts';
import { wrongUsage } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { describeTransfer, type Progress, startProgress } from './progress.ts';
import type { Surroundings } from './surroundings.ts';

interface Source {
  readonly stream: Readable;
  readonly totalBytes: number | undefined;
}

async function openSource({ cwd, stdin }: Surroundings, file: string): Promise<Source> {
  if (file === '-') return { stream: stdin, totalBytes: undefined };
  const path = resolve(cwd, file);
  try {
    const stream = createReadStream(path);
    await once(stream, 'open');
    const found = await stat(path);
    if (found.isDirectory()) throw new Error('it is a folder');
    return { stream, totalBytes: found.isFile() ? found.size : undefined };
  } catch (error) {
    throw wrongUsage(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

const unreadable = (error: unknown) => wrongUsage(`Cannot read the whole file: ${(error as Error).message}`);

/** Checks the first bytes, because a name may mislead and standard input has none. */
async function isGzip(stream: Readable): Promise<boolean> {
  await Promise.race([once(stream, 'readable'), once(stream, 'end')]).catch((error) => {
    throw unreadable(error);
  });
  const first = stream.read() as Buffer | null;
  if (first === null) return false;
  stream.unshift(first);
  return first[0] === 0x1f && first[1] === 0x8b;
}

/** Passes the bytes through and counts them, holding only one chunk. */
async function* counted(
  { stream, totalBytes }: Source,
  progress: Progress,
  atEnd: string,
): AsyncGenerator<Buffer> {
  const startedMs = performance.now();
  let bytes = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      yield piece;
      bytes += piece.length;
      progress.show(describeTransfer(bytes, totalBytes, startedMs));
    }
  } catch (error) {
    throw unreadable(error);
  }
  progress.show(`${describeTransfer(bytes, undefined, startedMs)}  ${atEnd}…`);
}

export interface Sending {
  /** Method and path, as in the OpenAPI document. */
  readonly route: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly contentType: string;
  readonly idleSeconds: number;
  /** The service's work after the last byte, for the progress line. */
  readonly atEnd: string;
}

/** Streams a file, or standard input for `-`, to the service and returns the answer. */
export async function sendFile<T>(
  invocation: Invocation,
  file: string,
  { route, query, contentType, idleSeconds, atEnd }: Sending,
): Promise<T> {
  const { api, around } = invocation;
  const source = await openSource(around, file);
  const progress = startProgress(invocation);
  try {
    const encoding = (await isGzip(source.stream)) ? { 'Content-Encoding': 'gzip' } : {};
    const transfer = {
      ...(query && { query }),
      headers: { 'Content-Type': contentType, ...encoding },
      raw: Readable.from(counted(source, progress, atEnd), { objectMode: false }),
      idleSeconds,
    };
    return await api.transfer(route, transfer, readJson<T>);
  } finally {
    progress.stop();
    // Unread standard input would keep the process alive.
    source.stream.destroy();
  }
}
