/** One element of one of the document's lists, still as text. */
export interface RawEntry {
  readonly section: string;
  readonly position: number;
  readonly text: string;
}

/** A section begins; told of each, so that one without entries is known of too. */
interface SectionStart {
  readonly begins: string;
}

/** The document is not what a fleet document looks like; the message completes "The document …". */
export class DocumentError extends Error {}

const ENTRY_MAX_BYTES = 1024 * 1024;
const KEY_MAX_BYTES = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

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
 * Cuts `{"name": [entry, …], …}` into its entries without holding more than one of them: only the
 * two outer levels are read here, each entry is left to JSON.parse. Works on bytes, because all
 * that matters to it is ASCII and no byte of a longer UTF-8 character looks like it.
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

  *push(chunk: Buffer): Generator<SectionStart | RawEntry> {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (this.#state === 'entry') {
        if (!this.#endsEntry(byte)) continue;
        yield this.#take(chunk.subarray(from, i));
        this.#state = byte === COMMA ? 'entry' : 'after-list';
        from = i + 1;
      } else if (this.#state === 'in-key') {
        if (byte !== QUOTE) continue;
        this.#hold(chunk.subarray(from, i), KEY_MAX_BYTES);
        this.#section = this.#release();
        this.#position = 0;
        yield { begins: this.#section };
        this.#state = 'colon';
      } else if (!isSpace(byte)) {
        const entryBegins = this.#step(byte) === 'entry';
        // An entry's first byte is part of it; a key begins after its quote.
        from = entryBegins ? i : i + 1;
        if (entryBegins) this.#endsEntry(byte);
      }
    }
    if (this.#state === 'entry') this.#hold(chunk.subarray(from), ENTRY_MAX_BYTES);
    if (this.#state === 'in-key') this.#hold(chunk.subarray(from), KEY_MAX_BYTES);
  }

  finish(): void {
    if (this.#state !== 'end') throw new DocumentError('ends before it is complete');
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
      throw new DocumentError(`must be one JSON object whose members are lists${place}`);
    }
    this.#state = next;
    return next;
  }

  /** True at the comma or bracket behind the entry. */
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
    return { section: this.#section, position: this.#position++, text: this.#release() };
  }

  #hold(part: Buffer, max: number): void {
    this.#heldBytes += part.length;
    if (this.#heldBytes > max)
      throw new DocumentError(`has an entry over ${max} bytes at "${this.#section}"`);
    // Copied: the chunk's memory belongs to the stream.
    if (part.length > 0) this.#held.push(Buffer.from(part));
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
    // A byte order mark is no part of the document.
    const marked = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    first = false;
    yield* cutter.push(marked ? chunk.subarray(3) : chunk);
  }
  cutter.finish();
}
