import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A sender that sends nothing for this long is gone. */
const SILENCE_MS = 60_000;

export const isBadGzip = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('Z_');

/** The same bytes; throws when the sender falls silent. */
async function* withoutSilence(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]();
  for (;;) {
    const silence = Promise.withResolvers<never>();
    const patience = setTimeout(() => silence.reject(new Error('the sender fell silent')), SILENCE_MS);
    // Patience is with the sender only: whoever reads may take its time, or leave.
    const { done, value } = await Promise.race([source.next(), silence.promise]).finally(() =>
      clearTimeout(patience),
    );
    if (done) return;
    yield value;
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/**
 * The bytes of a streamed body, unpacked where a header or its first bytes say that it is gzip: a packed file may be
 * sent as it is. Whoever reads slowly slows the sender down. Leaving the loop early does not cut the connection, because
 * the answer still has to travel on it.
 */
export async function* readBody(headers: IncomingHttpHeaders, body: Readable): AsyncGenerator<Buffer> {
  const chunks = withoutSilence(body.iterator({ destroyOnReturn: false }));
  const { done, value: first } = await chunks.next();
  if (done) return;
  const whole = startingWith(first, chunks);
  const isGzip = first[0] === 0x1f && (first.length === 1 || first[1] === 0x8b);
  if (!isGzip && !/gzip/i.test(headers['content-encoding'] ?? '')) return yield* whole;
  // What goes wrong on the way reaches whoever reads the unpacked bytes.
  yield* pipeline(Readable.from(whole), createGunzip(), () => {});
}
