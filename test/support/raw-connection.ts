import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Longer than any answer takes on a busy machine, shorter than the life of a kept connection. */
const PATIENCE_MS = 20_000;

function within<T>(work: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const patience = setTimeout(() => late.reject(new Error(`hangs: ${what}`)), PATIENCE_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(patience));
}

/** The first answer in the bytes, and where the next begins; undefined while it is incomplete. */
function cutAnswer(bytes: Buffer): { answer: RawAnswer; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString().split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const start = headEnd + 4;
  const end = start + Number(headers['content-length'] ?? 0);
  if (bytes.length < end) return undefined;
  const body = bytes.subarray(start, end).toString();
  return { answer: { status: Number(first.split(' ')[1]), headers, body }, end };
}

/** A client without an HTTP library: it sends everything before it reads, as many do. */
export class RawConnection {
  readonly socket: Socket;
  #got = Buffer.alloc(0);
  #failure: Error | undefined;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').pause();
    this.socket.on('error', (error) => {
      this.#failure = error;
    });
    this.socket.on('data', (bytes: Buffer) => {
      this.#got = Buffer.concat([this.#got, bytes]);
    });
    this.socket.pause();
  }

  /** Returns when the last byte has left this process. */
  async send(...parts: readonly (string | Buffer)[]): Promise<void> {
    for (const part of parts) {
      const sent = new Promise<void>((resolve, reject) =>
        this.socket.write(part, (error) => (error ? reject(error) : resolve())),
      );
      await within(sent, `sending ${part.length} bytes`);
    }
  }

  async read(): Promise<RawAnswer> {
    this.socket.resume();
    const answer = this.#next();
    try {
      return await within(answer, 'waiting for an answer');
    } finally {
      this.socket.pause();
    }
  }

  async #next(): Promise<RawAnswer> {
    for (;;) {
      const cut = cutAnswer(this.#got);
      if (cut !== undefined) {
        this.#got = this.#got.subarray(cut.end);
        return cut.answer;
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (this.socket.readableEnded || this.socket.destroyed) throw new Error('the connection ended');
      const heard = new AbortController();
      await Promise.race(
        ['data', 'end', 'close'].map((event) => once(this.socket, event, heard).catch(() => {})),
      );
      heard.abort();
    }
  }

  /** Waits until the service has closed the connection, cleanly or not. */
  async ended(): Promise<Error | undefined> {
    this.socket.resume();
    if (!this.socket.destroyed)
      await within(
        once(this.socket, 'close').catch(() => {}),
        'waiting for the end',
      );
    return this.#failure;
  }

  close(): void {
    this.socket.destroy();
  }
}

export const head = (method: string, path: string, headers: Readonly<Record<string, string | number>>) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
    .join('\r\n')
    .concat('\r\n\r\n');

const chunk = (part: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), Buffer.from(part), Buffer.from('\r\n')]);

/** A body of unknown length. */
export const chunked = (...parts: readonly (string | Buffer)[]): Buffer[] => [
  ...parts.map(chunk),
  Buffer.from('0\r\n\r\n'),
];
