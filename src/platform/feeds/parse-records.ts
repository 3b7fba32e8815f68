import { FeedError, isBadGzip } from '../http/body-stream.ts';
import { nestsTooDeep } from '../http/json-body.ts';
import { isStorableJson, NOT_STORABLE, NOT_UTF8 } from '../json/storable-text.ts';

export interface ParsedRecord<T> {
  readonly line: number;
  readonly record: T;
}

export interface RejectedRecord {
  readonly line: number;
  readonly reason: string;
}

export interface RecordBatch<T> {
  readonly records: readonly ParsedRecord<T>[];
  readonly rejected: readonly RejectedRecord[];
}

/** Parses a record: returns it in the form of its feed, or the reason why it is invalid. */
export type ParseRecord<T> = (
  value: unknown,
  text: string,
) => { readonly record: T } | { readonly reason: string };

/** CloudEvents 1.0: the record is the event's data; missing fields come from the event itself. */
function unwrapEvent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('specversion' in value) || !('data' in value))
    return value;
  const { id, time, data } = value as { id?: unknown; time?: unknown; data: unknown };
  return typeof data === 'object' && data !== null ? { id, at: time, ...data } : data;
}

/** Why a record cannot be stored. */
const problemOfJson = (text: string, value: unknown): string | undefined =>
  text.includes('\ufffd') ? NOT_UTF8 : isStorableJson(text, value) ? undefined : NOT_STORABLE;

/** Finds out whether the whole text can be stored, unless the caller does that for the parts that it uses. */
export function parseOne<T>(
  { text }: RecordText,
  parse: ParseRecord<T>,
  problemOf: typeof problemOfJson = problemOfJson,
): ReturnType<ParseRecord<T>> {
  if (text === undefined) return { reason: `is longer than ${RECORD_MAX_CHARS} characters` };
  if (nestsTooDeep(text)) return { reason: 'is nested too deep' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: 'is not valid JSON' };
  }
  const problem = problemOf(text, value);
  if (problem !== undefined) return { reason: problem };
  return parse(unwrapEvent(value), text);
}

/** How text is turned into records. */
export interface RecordReader<T> {
  readonly cutter: Cutter;
  /** Undefined if the text is not a record, such as a line of column names. */
  read(text: RecordText): ReturnType<ParseRecord<T>> | undefined;
}

/** A few packed bytes may unpack to any number of lines, each of which costs work. */
export interface FeedSizes {
  /** Unpacked. */
  readonly bytesMax: number;
  /** With blank ones. */
  readonly linesMax: number;
  readonly rejectedMax: number;
}

/** For one batch, and, where given, for the whole feed. */
interface BatchLimits extends Partial<Pick<FeedSizes, 'bytesMax' | 'linesMax'>> {
  readonly recordsMax: number;
  readonly charsMax: number;
}

/** NDJSON, a JSON array, or a batch of CloudEvents. */
export const parseRecords = <T>(
  chunks: AsyncIterable<Buffer>,
  parse: ParseRecord<T>,
  limits: BatchLimits,
): AsyncGenerator<RecordBatch<T>> =>
  readRecords(chunks, { cutter: recordCutter(), read: (raw) => parseOne(raw, parse) }, limits);

/**
 * Reads a feed in batches. It reads on only when the batch before has been processed, so that a fast feed slows its sender
 * down instead of filling memory. Throws for a body that breaks off or cannot be read, after it has yielded everything
 * before that point.
 */
export async function* readRecords<T>(
  chunks: AsyncIterable<Buffer>,
  { cutter, read }: RecordReader<T>,
  { recordsMax, charsMax, bytesMax = Infinity, linesMax = Infinity }: BatchLimits,
): AsyncGenerator<RecordBatch<T>> {
  const decoder = new TextDecoder();
  let records: ParsedRecord<T>[] = [];
  let rejected: RejectedRecord[] = [];
  let chars = 0;
  let bytes = 0;

  const refuseLines = (lines: number) => {
    if (lines > linesMax) throw new FeedError(`has more than ${linesMax} lines`);
  };

  const take = (raw: RecordText): boolean => {
    refuseLines(raw.line);
    const result = read(raw);
    if (result === undefined) return false;
    if ('reason' in result) rejected.push({ line: raw.line, reason: result.reason });
    else records.push({ line: raw.line, record: result.record });
    chars += raw.text?.length ?? 0;
    return records.length + rejected.length >= recordsMax || chars >= charsMax;
  };
  const release = (): RecordBatch<T> => {
    const batch = { records, rejected };
    [records, rejected, chars] = [[], [], 0];
    return batch;
  };

  let broken: unknown;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new FeedError(`has more than ${bytesMax} bytes`);
      for (const raw of cutter.push(decoder.decode(chunk, { stream: true }))) if (take(raw)) yield release();
      refuseLines(cutter.lines);
    }
    for (const raw of cutter.push(decoder.decode())) if (take(raw)) yield release();
    for (const raw of cutter.finish()) if (take(raw)) yield release();
  } catch (error) {
    broken = error;
  }
  if (records.length + rejected.length > 0) yield release();
  if (broken !== undefined) throw isBadGzip(broken) ? new FeedError('is not valid gzip') : broken;
}

/** The text of one record: a line of NDJSON or an element of a JSON array, counted from 1. */
export interface RecordText {
  readonly line: number;
  /** Undefined if it was longer than the limit; the text was not kept. */
  readonly text: string | undefined;
}

const RECORD_MAX_CHARS = 64 * 1024;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK = /^[\s\uFEFF]*$/;

/** Holds the part of a record received so far, up to the size limit. */
class Held {
  #text = '';
  #isTooLong = false;

  add(part: string): void {
    if (this.#text.length + part.length > RECORD_MAX_CHARS) this.#isTooLong = true;
    this.#text = this.#isTooLong ? '' : this.#text + part;
  }

  take(): string | undefined {
    const text = this.#isTooLong ? undefined : this.#text;
    this.#text = '';
    this.#isTooLong = false;
    return text;
  }
}

/** Cuts chunks of text into records; throws a FeedError after the records before the error. */
interface Cutter {
  /** So far, with blank ones. */
  readonly lines: number;
  push(text: string): Iterable<RecordText>;
  finish(): Iterable<RecordText>;
}

/** Lines that are not blank, counted from 1. */
export function lineCutter(): Cutter {
  const held = new Held();
  let line = 0;
  /** Called at the end of a line. Appends to a list, because a nested generator is slow for thousands of records. */
  const add = (lines: RecordText[]): RecordText[] => {
    line++;
    const text = held.take();
    if (text === undefined || !BLANK.test(text)) lines.push({ line, text });
    return lines;
  };
  return {
    get lines() {
      return line;
    },
    push(text) {
      const lines: RecordText[] = [];
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        held.add(text.slice(from, at));
        add(lines);
        from = at + 1;
      }
      held.add(text.slice(from));
      return lines;
    },
    finish: () => add([]),
  };
}

/** Reads only the outermost level of an array; JSON.parse reads each element. */
function arrayCutter(): Cutter {
  const held = new Held();
  let line = 0;
  let depth = 0;
  let place: 'before' | 'within' | 'after' = 'before';
  let [inString, escaped] = [false, false];

  const endsElement = (char: number): boolean => {
    if (inString) {
      if (escaped) escaped = false;
      else if (char === BACKSLASH) escaped = true;
      else if (char === QUOTE) inString = false;
      return false;
    }
    if (char === QUOTE) inString = true;
    else if (char === OPEN_LIST || char === OPEN_OBJECT) depth++;
    else if (depth === 0) return char === COMMA || char === CLOSE_LIST;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--;
    return false;
  };
  function* end(isLast: boolean): Generator<RecordText> {
    const text = held.take();
    const isBlank = text !== undefined && BLANK.test(text);
    if (isBlank && !(isLast && line === 0)) throw new FeedError(`has no element ${line + 1} in its array`);
    if (!isBlank) yield { line: ++line, text };
    if (isLast) place = 'after';
  }

  return {
    get lines() {
      return line;
    },
    *push(text) {
      let from = 0;
      if (place === 'before') {
        from = text.indexOf('[') + 1;
        place = 'within';
      }
      for (let at = from; at < text.length && place === 'within'; at++) {
        const char = text.charCodeAt(at);
        if (!endsElement(char)) continue;
        held.add(text.slice(from, at));
        from = at + 1;
        yield* end(char === CLOSE_LIST);
      }
      if (place === 'within') held.add(text.slice(from));
      else if (!BLANK.test(text.slice(from))) throw new FeedError('continues after the end of its array');
    },
    // biome-ignore lint/correctness/useYield: an array leaves nothing over
    *finish() {
      if (place !== 'after') throw new FeedError('ends before its array does');
    },
  };
}

/** The first character decides: an array begins with a bracket, and no record of NDJSON does. */
function recordCutter(): Cutter {
  // Blank lines count until then, and an array has none.
  let chosen = lineCutter();
  let isBlank = true;
  return {
    get lines() {
      return chosen.lines;
    },
    push(text) {
      if (isBlank && !BLANK.test(text)) {
        isBlank = false;
        if (/^[\s\uFEFF]*\[/.test(text)) chosen = arrayCutter();
      }
      return chosen.push(text);
    },
    finish: () => chosen.finish(),
  };
}
