import {
  lineCutter,
  parseOne,
  type RecordReader,
  type RecordText,
} from '../../platform/feeds/parse-records.ts';
import { problemOfText } from '../../platform/json/storable-text.ts';
import { parseUsageRecord, type UsageRecord } from '../usage/index.ts';
import { BadFile } from './content.ts';
import { splitLine } from './csv-line.ts';
import type { Columns, Mapping } from './mapping.ts';
import { momentReader } from './moment.ts';
import { bytesOf } from './volume.ts';

/** The id of a row that has none of its own, by its line. */
export type RowId = (line: number) => string;

type Read = ReturnType<typeof parseUsageRecord>;
/** The text of a column in a row; undefined if the row has no such column. */
type Cell = (column: string) => string | undefined;

const AMOUNT = /^\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Converts rows to usage records. */
function rowMapper(
  { id, device, at, bytes, apn, ratingGroup, countryCode, chargeAmount }: Columns,
  idOf: RowId,
) {
  const readMoment = momentReader(at.zone);
  const optional = (cell: Cell, column: string | undefined) => (column && cell(column)) || undefined;
  return (cell: Cell, line: number): Read => {
    const [moment, volume] = [cell(at.column) ?? '', cell(bytes.column) ?? ''];
    const when = readMoment(moment);
    if (when === undefined) return { reason: `${at.column} is not a date-time: ${moment.slice(0, 40)}` };
    const count = bytesOf(volume, bytes.unit ?? 'B');
    if (count === undefined)
      return { reason: `${bytes.column} is not a number of ${bytes.unit ?? 'B'}: ${volume.slice(0, 40)}` };
    const charge = optional(cell, chargeAmount);
    if (charge !== undefined && !AMOUNT.test(charge))
      return { reason: `${chargeAmount} is not an amount: ${charge.slice(0, 40)}` };
    const wire = {
      id: id === undefined ? idOf(line) : (cell(id) ?? ''),
      kind: device.kind,
      device: cell(device.column) ?? '',
      at: when,
      bytes: count,
      apn: optional(cell, apn),
      ratingGroup: optional(cell, ratingGroup),
      countryCode: optional(cell, countryCode),
      ...(charge !== undefined && { chargeAmount: Number(charge) }),
    };
    return parseUsageRecord(wire, charge === undefined ? '' : `"chargeAmount":${charge}`);
  };
}

const namesOf = ({ id, device, at, bytes, apn, ratingGroup, countryCode, chargeAmount }: Columns): string[] =>
  [id, device.column, at.column, bytes.column, apn, ratingGroup, countryCode, chargeAmount].filter(
    (name) => name !== undefined,
  );

/** The index of each mapped column. */
function placesOf(header: readonly string[], columns: Columns): ReadonlyMap<string, number> {
  const names = header.map((name) => name.trim());
  const missing = namesOf(columns).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new BadFile(`has no column ${missing.join(', ')} in its first line`);
  const twice = namesOf(columns).find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw new BadFile(`has the column ${twice} twice`);
  return new Map(namesOf(columns).map((name) => [name, names.indexOf(name)]));
}

/** Columns that are not mapped may hold anything. */
const problemIn = (mapped: readonly (string | undefined)[]): string | undefined =>
  mapped.map((text = '') => problemOfText(text)).find((problem) => problem !== undefined);

const BAD_QUOTES = 'has a quotation mark that does not end on its line';

function csvReader({ delimiter, columns }: Mapping & { readonly format: 'csv' }, idOf: RowId) {
  const toRecord = rowMapper(columns, idOf);
  let header: { readonly places: ReadonlyMap<string, number>; readonly size: number } | undefined;
  return ({ line, text }: RecordText): Read | undefined => {
    if (text === undefined) return { reason: 'is longer than a record may be' };
    const whole = header === undefined ? text.replace(/^\uFEFF/, '') : text;
    const values = splitLine(whole.endsWith('\r') ? whole.slice(0, -1) : whole, delimiter);
    if (header === undefined) {
      if (values === undefined) throw new BadFile(BAD_QUOTES);
      header = { places: placesOf(values, columns), size: values.length };
      return undefined;
    }
    if (values === undefined) return { reason: BAD_QUOTES };
    if (values.length !== header.size)
      return { reason: `has ${values.length} values instead of ${header.size}` };
    const { places } = header;
    const reason = /[\ufffd\0]/.test(text)
      ? problemIn([...places.values()].map((n) => values[n]))
      : undefined;
    if (reason !== undefined) return { reason };
    return toRecord((column) => values[places.get(column)!]?.trim(), line);
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;

function objectReader(columns: Columns, idOf: RowId) {
  const toRecord = rowMapper(columns, idOf);
  const names = namesOf(columns);
  const read = (value: unknown, line: number): Read => {
    if (typeof value !== 'object' || value === null) return { reason: 'is not an object' };
    const row = value as Record<string, unknown>;
    const cell = (column: string) => (Object.hasOwn(row, column) ? textOf(row[column]) : undefined);
    const reason = problemIn(names.map(cell));
    return reason === undefined ? toRecord(cell, line) : { reason };
  };
  return (raw: RecordText): Read =>
    parseOne(
      raw,
      (value) => read(value, raw.line),
      () => undefined,
    );
}

/** Reads the rows of a file by its mapping. */
export function rowReader(mapping: Mapping, idOf: RowId): RecordReader<UsageRecord> {
  const cutter = lineCutter();
  if (mapping.format === 'csv') return { cutter, read: csvReader(mapping, idOf) };
  const { columns } = mapping;
  return {
    cutter,
    read: columns === undefined ? (raw) => parseOne(raw, parseUsageRecord) : objectReader(columns, idOf),
  };
}
