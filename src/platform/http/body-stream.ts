import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export const isBadGzip = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('Z_');

/** The body cannot be cut into records from this point; records before it are valid. The message completes "The body …". */
export class FeedError extends Error {}

/** The sender has sent nothing for too long. The message completes "The body …". */
export class FellSilent extends FeedError {
  constructor(silenceMs: number) {
    super(`was silent for ${silenceMs / 1_000} s`);
  }
}

/** Nobody waits for the result any more. */
class SenderGone extends FeedError {
  constructor() {
    super('ended when the sender went away');
  }
}

/** Also true after the whole body has arrived, when it emits no further event. */
const isGone = (body: Readable): boolean => (body as Partial<IncomingMessage>).socket?.destroyed === true;

/**
 * Passes the bytes on, and throws when the sender stops sending. Only the sender has a time limit. The reader may be slow, or
 * stop early: it then leaves no listeners on the body, so that another reader can read the rest.
 */
class Chunks implements AsyncIterableIterator<Buffer> {
  readonly #body: Readable;
  readonly #silenceMs: number;
  readonly #come: Buffer[] = [];
  #wake = () => {};
  #end: { readonly error?: Error } | undefined;

  constructor(body: Readable, silenceMs: number) {
    this.#body = body;
    this.#silenceMs = silenceMs;
    if (body.readableEnded) this.#end = {};
    else if (body.destroyed) this.#end = { error: new SenderGone() };
    else
      body
        .on('data', this.#onData)
        .on('end', this.#onEnd)
        .on('error', this.#onEnd)
        .on('close', this.#onClose);
    body.pause();
  }

  #onData = (chunk: Buffer): void => {
    this.#body.pause();
    this.#come.push(chunk);
    this.#wake();
  };

  #onEnd = (error?: Error): void => {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  };

  #onClose = (): void => this.#onEnd(new SenderGone());

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#come.length === 0 && this.#end === undefined) await this.#wait();
    const value = this.#come.shift();
    if (value !== undefined) return { done: false, value };
    this.#stopReading();
    if (this.#end?.error !== undefined) throw this.#end.error;
    return { done: true, value: undefined };
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#body.resume();
    let isOver = false;
    const giveUp = () => {
      if (!isOver) this.#onEnd(new FellSilent(this.#silenceMs));
    };
    // Reads first what arrived while this process was busy, before it counts the sender as silent.
    const patience = setTimeout(() => setImmediate(giveUp), this.#silenceMs);
    await promise;
    isOver = true;
    clearTimeout(patience);
  }

  async return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#come.length = 0;
    this.#onEnd();
    this.#stopReading();
    return { done: true, value: undefined };
  }

  #stopReading(): void {
    this.#body.pause();
    this.#body
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onEnd)
      .off('close', this.#onClose);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/**
 * The bytes of a streamed body, unpacked if a header or its first bytes say that it is gzip, so that a packed file can be
 * sent without a header. A slow reader slows the sender down. Leaving the loop early does not close the connection, because
 * the answer still needs it. A small packed body may unpack to very many bytes, so it ends when the sender has gone.
 */
export async function* readBody(
  headers: IncomingHttpHeaders,
  body: Readable,
  silenceMs: number,
): AsyncGenerator<Buffer> {
  const chunks = new Chunks(body, silenceMs);
  try {
    const { done, value: first } = await chunks.next();
    if (done) return;
    const whole = startingWith(first, chunks);
    const isGzip =
      (first[0] === 0x1f && (first.length === 1 || first[1] === 0x8b)) ||
      /gzip/i.test(headers['content-encoding'] ?? '');
    // Errors on the way reach the reader of the unpacked bytes.
    const unpacked = isGzip ? pipeline(Readable.from(whole), createGunzip(), () => {}) : whole;
    for await (const piece of unpacked) {
      if (isGone(body)) throw new SenderGone();
      yield piece;
    }
  } finally {
    await chunks.return();
  }
}
