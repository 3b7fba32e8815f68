import { type Static, Type } from 'typebox';
import { type FedRecord, fedRecordParser } from '../../../platform/feeds/fed-record.ts';
import { isBannedName, type Values } from '../../device-management/index.ts';

export const READING_LIMITS = { fields: 64, nameLength: 100, levels: 8, chars: 16 * 1024 } as const;
/** What is known of a device: fields that come under ever new names fill no memory. */
export const KNOWN_FIELDS_MAX = 256;

const WireReading = Type.Object({
  kind: Type.String({ maxLength: 16 }),
  device: Type.String({ maxLength: 64 }),
  at: Type.String({ maxLength: 64 }),
  values: Type.Unsafe<Values>(
    Type.Object({}, { additionalProperties: true, minProperties: 1, maxProperties: READING_LIMITS.fields }),
  ),
});

export interface Reading extends FedRecord {
  readonly values: Values;
}

const readBeginning = fedRecordParser<Static<typeof WireReading>>(WireReading);

/** Completes "values …"; the depth of a record is bounded before it is parsed. */
function refusalOf(value: unknown, level = 1): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > READING_LIMITS.levels) return `have more than ${READING_LIMITS.levels} levels`;
  for (const [name, member] of Object.entries(value)) {
    if (isBannedName(name)) return `have ${name}, which is no name of a field`;
    if (name.length > READING_LIMITS.nameLength)
      return `have a name of more than ${READING_LIMITS.nameLength} characters`;
    const refusal = refusalOf(member, level + 1);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export function readReading(value: unknown, text: string): { record: Reading } | { reason: string } {
  if (text.length > READING_LIMITS.chars)
    return { reason: `is longer than ${READING_LIMITS.chars} characters` };
  const read = readBeginning(value);
  if ('reason' in read) return read;
  const { values } = read.wire;
  const refusal = refusalOf(values);
  return refusal === undefined ? { record: { ...read.record, values } } : { reason: `values ${refusal}` };
}
