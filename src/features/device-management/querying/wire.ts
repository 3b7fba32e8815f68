import { type ExactNumber, exactInteger, parseExactly } from '../../../platform/json/exact-json.ts';
import type { StoredRecord } from './fields.ts';
import { FIELDS, type Field } from './fields.ts';

export type WireRecord = Readonly<Record<string, unknown>>;

const HEXADECIMAL = /[A-F]/i;

/** An ESN may be stored as eight hexadecimal digits; the wire format is the number. */
const toInteger = (text: string): ExactNumber => exactInteger(HEXADECIMAL.test(text) ? `0x${text}` : text);

function fieldValue(name: string, field: Field, stored: StoredRecord, document: WireRecord, account: string) {
  switch (field.from) {
    case 'nothing':
      return null;
    case 'account':
      return account;
    case 'column': {
      const value = stored[field.column];
      return value instanceof Date ? value.toISOString() : (value ?? null);
    }
    case 'identifier': {
      const value = stored.identifiers?.[field.kind] ?? null;
      return value !== null && field.as === 'integer' ? toInteger(value) : value;
    }
    case 'record':
      return document[name] ?? field.empty;
  }
}

export const documentOf = ({ record }: Pick<StoredRecord, 'record'>): WireRecord =>
  parseExactly(record) as WireRecord;

/** All fields of the record's kind, or those of the projection. */
export function toWireRecord(
  stored: StoredRecord,
  accountName: string,
  projection?: ReadonlySet<string>,
): WireRecord {
  const document = documentOf(stored);
  return Object.fromEntries(
    Object.entries(FIELDS[stored.kind])
      .filter(([name]) => projection?.has(name) ?? true)
      .map(([name, field]) => [name, fieldValue(name, field, stored, document, accountName)]),
  );
}
