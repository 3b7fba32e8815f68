import { brokenLine } from './problem-lines.ts';

/** One element of one of the document's lists, as text. */
export interface RawEntry {
  readonly section: string;
  readonly position: number;
  readonly text: string;
  /** Line of the document on which the text begins. */
  readonly line: number;
}

/** The start of a section; reported for each section, even without entries. */
interface SectionStart {
  readonly begins: string;
  readonly line: number;
}

/** The text is not a fleet document; the message completes "The document …". */
export class DocumentError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const ENTRY_MAX_BYTES = 1024 * 1024;
const KEY_MAX_BYTES = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const NEWLINE = 0x0a;
const isSpace = (byte: number) => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;

type State =
  | 'start'
  | 'key-or-end'
  | 'key'
  | 'in-key'
  | 'colon'
  | 'list'
  | 'entry-or-end'
  | 'entry'
  | 'after-list'
  | 'end';

/**
 * Cuts `{"name": [entry, …], …}` into its entries and holds only one of them at a time. It reads only the two outer levels;
 * JSON.parse reads each entry. It works on bytes, because all the characters that it checks are ASCII, and no byte of a longer
 * UTF-8 character looks like one.
 */
class Cutter {
  #state: State = 'start';
  #section = '';
  #position = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #line = 1;
  /** Line on which the held text begins. */
  #heldLine = 1;

  *push(chunk: Buffer): Generator<SectionStart | RawEntry> {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === NEWLINE) this.#line++;
      if (this.#state === 'entry') {
        if (!this.#endsEntry(byte)) continue;
        yield this.#take(chunk.subarray(from, i));
        this.#state = byte === COMMA ? 'entry' : 'after-list';
        this.#heldLine = this.#line;
        from = i + 1;
      } else if (this.#state === 'in-key') {
        if (byte !== QUOTE) continue;
        this.#hold(chunk.subarray(from, i), KEY_MAX_BYTES);
        this.#section = this.#release();
        this.#position = 0;
        yield { begins: this.#section, line: this.#line };
        this.#state = 'colon';
      } else if (!isSpace(byte)) {
        const entryBegins = this.#step(byte) === 'entry';
        // The first byte of an entry belongs to it; a key begins after its quote.
        from = entryBegins ? i : i + 1;
        this.#heldLine = this.#line;
        if (entryBegins) this.#endsEntry(byte);
      }
    }
    if (this.#state === 'entry') this.#hold(chunk.subarray(from), ENTRY_MAX_BYTES);
    if (this.#state === 'in-key') this.#hold(chunk.subarray(from), KEY_MAX_BYTES);
  }

  finish(): void {
    if (this.#state !== 'end') throw this.#error('ends before it is complete');
  }

  #step(byte: number): State {
    const next: State | undefined = {
      start: byte === OPEN_OBJECT ? 'key-or-end' : undefined,
      'key-or-end': byte === QUOTE ? 'in-key' : byte === CLOSE_OBJECT ? 'end' : undefined,
      key: byte === QUOTE ? 'in-key' : undefined,
      colon: byte === COLON ? 'list' : undefined,
      list: byte === OPEN_LIST ? 'entry-or-end' : undefined,
      'entry-or-end': byte === CLOSE_LIST ? 'after-list' : 'entry',
      'after-list': byte === COMMA ? 'key' : byte === CLOSE_OBJECT ? 'end' : undefined,
      'in-key': undefined,
      entry: undefined,
      end: undefined,
    }[this.#state] as State | undefined;
    if (next === undefined) {
      const place = this.#state === 'list' ? ` at "${this.#section}"` : '';
      throw this.#error(`must be one JSON object whose members are lists${place}`);
    }
    this.#state = next;
    return next;
  }

  /** True at the comma or bracket after the entry. */
  #endsEntry(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
      return false;
    }
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth++;
    else if (this.#depth === 0) return byte === COMMA || byte === CLOSE_LIST;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth--;
    return false;
  }

  #take(last: Buffer): RawEntry {
    this.#hold(last, ENTRY_MAX_BYTES);
    return {
      section: this.#section,
      position: this.#position++,
      text: this.#release(),
      line: this.#heldLine,
    };
  }

  #hold(part: Buffer, max: number): void {
    this.#heldBytes += part.length;
    if (this.#heldBytes > max) throw this.#error(`has an entry over ${max} bytes at "${this.#section}"`);
    // Copied, because the stream reuses the memory of the chunk.
    if (part.length > 0) this.#held.push(Buffer.from(part));
  }

  /** For an entry that does not end, the line is where the text stops being JSON: there its end is missing. */
  #error(message: string): DocumentError {
    const line = this.#state === 'entry' ? brokenLine(this.#heldLine, this.#release()) : undefined;
    return new DocumentError(message, line ?? this.#line);
  }

  #release(): string {
    const text = Buffer.concat(this.#held).toString('utf8');
    this.#held = [];
    this.#heldBytes = 0;
    return text;
  }
}

export async function* parseDocument(chunks: AsyncIterable<Buffer>): AsyncGenerator<SectionStart | RawEntry> {
  const cutter = new Cutter();
  let first = true;
  for await (const chunk of chunks) {
    // A byte order mark is not part of the document.
    const marked = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    first = false;
    yield* cutter.push(marked ? chunk.subarray(3) : chunk);
  }
  cutter.finish();
}
