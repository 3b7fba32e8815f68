import { Refusal } from './reasons.ts';

/** Limits for everything except the body: interim answers, the head, the lines around chunks. */
const HEAD_MAX_BYTES = 16 * 1024;
const CHUNK_LINE_MAX = 1_024;
const HEAD_END = '\r\n\r\n';
const VERSION = 'HTTP/1.';
// A dot matches neither CR nor LF: a line that contains only one of them is refused.
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/;
const LENGTH = /^[ \t]*(\d{1,15})[ \t]*$/;
const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;
const IDLE_SECONDS = /\btimeout=(\d{1,9})/i;
const LONE_LINE_FEED = /(?:^|[^\r])\n/;
/** Answers without a body, whatever their head says. */
const BODILESS = [204, 304];

/** What the head of an answer determines about the rest. */
interface Head {
  readonly status: number;
  /** Bytes, or another way to find the end. */
  readonly length: number | 'chunked' | 'untilClosed';
  readonly keepsOpen: boolean;
  /** How long the listener keeps an idle connection, if it says so. */
  readonly idleSeconds: number | undefined;
}

const refuse = (): never => {
  throw new Refusal('protocol error');
};

const tokensOf = (value: string): string[] =>
  value
    .toLowerCase()
    .split(',')
    .map((token) => token.trim());

/** The fields that delimit an answer in the stream. Two lengths, or two ways to find the end, are refused. */
function parseFields(lines: readonly string[]) {
  const found = { length: undefined as number | undefined, codings: '', connection: '', keepAlive: '' };
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? refuse();
    switch (name!.toLowerCase()) {
      case 'content-length':
        if (found.length !== undefined) refuse();
        found.length = Number((LENGTH.exec(value!) ?? refuse())[1]);
        break;
      case 'transfer-encoding':
        found.codings += `,${value}`;
        break;
      case 'connection':
        found.connection += `,${value}`;
        break;
      case 'keep-alive':
        found.keepAlive = value!;
        break;
    }
  }
  if (found.codings !== '' && found.length !== undefined) refuse();
  return found;
}

function parseHead(text: string): Head {
  const [first, ...lines] = text.split('\r\n');
  const [, minor, code] = STATUS_LINE.exec(first!) ?? refuse();
  const { length, codings, connection, keepAlive } = parseFields(lines);
  const status = Number(code);
  const isChunked = codings !== '' && tokensOf(codings).at(-1) === 'chunked';
  const framing = isChunked ? 'chunked' : codings === '' ? (length ?? 'untilClosed') : 'untilClosed';
  const tokens = tokensOf(connection);
  const isLasting = minor === '1' ? !tokens.includes('close') : tokens.includes('keep-alive');
  const idle = IDLE_SECONDS.exec(keepAlive);
  const bodyLength = BODILESS.includes(status) ? 0 : framing;
  return {
    status,
    length: bodyLength,
    keepsOpen: isLasting && bodyLength !== 'untilClosed',
    idleSeconds: idle === null ? undefined : Number(idle[1]),
  };
}

/** Whether more input can complete this to a head. */
function canBeginHead(text: string): boolean {
  if (!VERSION.startsWith(text.slice(0, VERSION.length)) || LONE_LINE_FEED.test(text)) return false;
  const end = text.indexOf('\r\n');
  return end < 0 || STATUS_LINE.test(text.slice(0, end));
}

/** Receives an answer piece by piece. A piece of the body is valid only until the call returns. */
export interface AnswerReader {
  /** `head` is the status line and the header lines, unchanged. */
  onHead(status: number, head: string): void;
  onBody(piece: Buffer): void;
}

/**
 * Splits the bytes of a listener into answers by RFC 9112, and refuses ambiguous input. A parser of our own, because the
 * answer to a callback is small and mostly empty, and general clients take several times as long for it.
 */
export class AnswerParser {
  #reader: AnswerReader | undefined;
  #state: 'head' | 'body' | 'untilClosed' | 'size' | 'chunk' | 'afterChunk' | 'trailers' | 'done' = 'done';
  #head: Head | undefined;
  /** The last head of this connection: within a second most listeners send the same one again. */
  #known: { readonly text: string; readonly head: Head } | undefined;
  /** The start of a head or a line whose end has not arrived. */
  #text = '';
  #headBytes = 0;
  /** Bytes of the body or the chunk that have not arrived. */
  #left = 0;
  #hasSurplus = false;

  /** Sets the reader of the next answer. */
  begin(reader: AnswerReader): void {
    this.#reader = reader;
    this.#state = 'head';
    this.#head = undefined;
    this.#text = '';
    this.#headBytes = 0;
    this.#hasSurplus = false;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Whether the connection can carry another answer after this one. */
  get keepsOpen(): boolean {
    return this.isDone && this.#head?.keepsOpen === true && !this.#hasSurplus;
  }

  get idleSeconds(): number | undefined {
    return this.#head?.idleSeconds;
  }

  /** Parses the first `length` bytes of the buffer. Throws a Refusal. */
  feed(bytes: Buffer, length: number): void {
    let at = 0;
    while (at < length && this.#state !== 'done') at = this.#step(bytes, at, length);
    this.#hasSurplus ||= at < length;
  }

  /** The connection has ended. Returns whether the answer is complete. */
  close(): boolean {
    if (this.#state === 'untilClosed') this.#state = 'done';
    return this.isDone;
  }

  #step(bytes: Buffer, at: number, length: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at, length);
      case 'body':
      case 'chunk':
        return this.#readBody(bytes, at, Math.min(length, at + this.#left));
      case 'untilClosed':
        this.#reader?.onBody(bytes.subarray(at, length));
        return length;
      default:
        return this.#readLine(bytes, at, length);
    }
  }

  #countHead(bytes: number): void {
    this.#headBytes += bytes;
    if (this.#headBytes > HEAD_MAX_BYTES) refuse();
  }

  #readHead(bytes: Buffer, at: number, length: number): number {
    const seen = this.#text.length;
    const text = this.#text + bytes.toString('latin1', at, length);
    const end = text.indexOf(HEAD_END, Math.max(0, seen - HEAD_END.length + 1));
    if (end < 0) {
      if (this.#headBytes + text.length > HEAD_MAX_BYTES || !canBeginHead(text)) refuse();
      this.#text = text;
      return length;
    }
    this.#countHead(end + HEAD_END.length);
    this.#text = '';
    const head = text.slice(0, end);
    this.#beginBody(this.#headOf(head), head);
    return at + end + HEAD_END.length - seen;
  }

  #headOf(text: string): Head {
    if (this.#known?.text !== text) this.#known = { text, head: parseHead(text) };
    return this.#known.head;
  }

  #beginBody(head: Head, text: string): void {
    if (head.status === 101) refuse();
    if (head.status < 200) return;
    this.#head = head;
    this.#reader?.onHead(head.status, text);
    if (head.length === 'chunked') this.#state = 'size';
    else if (head.length === 'untilClosed') this.#state = 'untilClosed';
    else {
      this.#left = head.length;
      this.#state = head.length === 0 ? 'done' : 'body';
    }
  }

  #readBody(bytes: Buffer, at: number, to: number): number {
    this.#left -= to - at;
    this.#reader?.onBody(bytes.subarray(at, to));
    if (this.#left === 0) this.#state = this.#state === 'body' ? 'done' : 'afterChunk';
    return to;
  }

  #readLine(bytes: Buffer, at: number, length: number): number {
    const found = bytes.indexOf('\n', at, 'latin1');
    const end = found < 0 || found >= length ? length : found + 1;
    this.#countHead(this.#state === 'trailers' ? end - at : 0);
    this.#text += bytes.toString('latin1', at, end);
    if (this.#text.length > CHUNK_LINE_MAX) refuse();
    if (!this.#text.endsWith('\n')) return end;
    if (!this.#text.endsWith('\r\n')) refuse();
    const line = this.#text.slice(0, -2);
    this.#text = '';
    this.#endLine(line);
    return end;
  }

  #endLine(line: string): void {
    if (this.#state === 'size') {
      this.#left = Number.parseInt((CHUNK_SIZE.exec(line) ?? refuse())[1]!, 16);
      this.#state = this.#left === 0 ? 'trailers' : 'chunk';
    } else if (this.#state === 'afterChunk') {
      if (line !== '') refuse();
      this.#state = 'size';
    } else if (line === '') this.#state = 'done';
    else if (!FIELD.test(line)) refuse();
  }
}
