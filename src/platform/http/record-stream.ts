import { isStorableJson, NOT_STORABLE } from '../json/storable-text.ts';
import { isBadGzip } from './body-stream.ts';
import { nestsTooDeep } from './json-body.ts';
import { FeedError, RECORD_MAX_CHARS, type RecordText, recordCutter } from './record-lines.ts';

export interface ReadRecord<T> {
  readonly line: number;
  readonly record: T;
}

export interface RejectedRecord {
  readonly line: number;
  readonly reason: string;
}

export interface RecordBatch<T> {
  readonly records: readonly ReadRecord<T>[];
  readonly rejected: readonly RejectedRecord[];
}

/** What a record must look like: the record as its feed knows it, or the reason why it is none. */
export type ReadOne<T> = (
  value: unknown,
  text: string,
) => { readonly record: T } | { readonly reason: string };

export interface BatchLimits {
  readonly recordsMax: number;
  readonly charsMax: number;
}

/** CloudEvents 1.0: the record is the event's data; what the event says about itself stands in where it is absent. */
function unwrapEvent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('specversion' in value) || !('data' in value))
    return value;
  const { id, time, data } = value as { id?: unknown; time?: unknown; data: unknown };
  return typeof data === 'object' && data !== null ? { id, at: time, ...data } : data;
}

function readOne<T>({ text }: RecordText, read: ReadOne<T>): ReturnType<ReadOne<T>> {
  if (text === undefined) return { reason: `is longer than ${RECORD_MAX_CHARS} characters` };
  if (nestsTooDeep(text)) return { reason: 'is nested too deep' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: 'is not valid JSON' };
  }
  // Decoding puts U+FFFD in the place of bytes that are no UTF-8; two different ids would become one.
  if (text.includes('\ufffd')) return { reason: 'has bytes that are not UTF-8' };
  if (!isStorableJson(text, value)) return { reason: NOT_STORABLE };
  return read(unwrapEvent(value), text);
}

/**
 * Reads a feed of records (NDJSON, a JSON array, or a batch of CloudEvents) in batches. It reads on only when the batch
 * before has been taken, so that a feed that is faster than its reader slows its sender down instead of filling memory.
 * A body that breaks off or cannot be read on throws, after everything before that point has been given.
 */
export async function* readRecords<T>(
  chunks: AsyncIterable<Buffer>,
  read: ReadOne<T>,
  limits: BatchLimits,
): AsyncGenerator<RecordBatch<T>> {
  const decoder = new TextDecoder();
  const cutter = recordCutter();
  let records: ReadRecord<T>[] = [];
  let rejected: RejectedRecord[] = [];
  let chars = 0;

  const take = (raw: RecordText): boolean => {
    const result = readOne(raw, read);
    if ('reason' in result) rejected.push({ line: raw.line, reason: result.reason });
    else records.push({ line: raw.line, record: result.record });
    chars += raw.text?.length ?? 0;
    return records.length + rejected.length >= limits.recordsMax || chars >= limits.charsMax;
  };
  const release = (): RecordBatch<T> => {
    const batch = { records, rejected };
    [records, rejected, chars] = [[], [], 0];
    return batch;
  };

  let broken: unknown;
  try {
    for await (const chunk of chunks) {
      for (const raw of cutter.push(decoder.decode(chunk, { stream: true }))) if (take(raw)) yield release();
    }
    for (const raw of cutter.push(decoder.decode())) if (take(raw)) yield release();
    for (const raw of cutter.finish()) if (take(raw)) yield release();
  } catch (error) {
    broken = error;
  }
  if (records.length + rejected.length > 0) yield release();
  if (broken !== undefined) throw isBadGzip(broken) ? new FeedError('is not valid gzip') : broken;
}
