import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';

const strict = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const Column = Type.String({ minLength: 1, maxLength: 256, expected: 'the name of a column' });

/** The columns of a row that hold the members of a usage record. */
const Columns = strict({
  id: Type.Optional(Column),
  device: strict({
    column: Column,
    kind: Type.Enum([...DEVICE_ID_KINDS], { expected: `one of ${DEVICE_ID_KINDS.join(', ')}` }),
  }),
  at: strict({
    column: Column,
    zone: Type.Optional(Type.String({ maxLength: 64, expected: 'a time zone, such as Europe/Berlin' })),
  }),
  bytes: strict({
    column: Column,
    unit: Type.Optional(Type.Enum(['B', 'KB', 'MB'], { expected: 'B, KB or MB' })),
  }),
  apn: Type.Optional(Column),
  ratingGroup: Type.Optional(Column),
  countryCode: Type.Optional(Column),
  chargeAmount: Type.Optional(Column),
});
export type Columns = Static<typeof Columns>;

const MappingFile = strict({
  format: Type.Enum(['ndjson', 'csv'], { expected: 'ndjson or csv' }),
  delimiter: Type.Optional(
    Type.String({ pattern: '^[^"\\r\\n]$', expected: 'one character that is not a quotation mark' }),
  ),
  columns: Type.Optional(Columns),
});

/** How rows of a file become usage records. Without columns, the rows already are usage records. */
export type Mapping =
  | { readonly format: 'csv'; readonly delimiter: string; readonly columns: Columns }
  | { readonly format: 'ndjson'; readonly columns: Columns | undefined };

/** Rows without an id are identified by the content of their file and their line. */
export const needsHash = ({ columns }: Mapping): boolean => columns !== undefined && columns.id === undefined;

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

function describe(value: unknown): string | undefined {
  const [error] = Value.Errors(MappingFile, value);
  if (error === undefined) return undefined;
  const at = error.instancePath.slice(1).replaceAll('/', '.') || 'the mapping';
  const { requiredProperties: missing } = error.params as { requiredProperties?: string[] };
  if (missing !== undefined) return `${at} has no ${missing.join(', ')}`;
  if (error.keyword === 'boolean') return `${at} is not known`;
  let part: unknown = MappingFile;
  for (const step of error.instancePath.split('/').slice(1))
    part = (part as { properties?: Record<string, unknown> }).properties?.[step] ?? {};
  return `${at} must be ${(part as { expected?: string }).expected ?? 'an object'}`;
}

/** The mapping, or the problem with it as the end of a sentence. */
export function parseMapping(value: unknown): { readonly mapping: Mapping } | { readonly problem: string } {
  const problem = describe(value);
  if (problem !== undefined) return { problem };
  const { format, delimiter, columns } = Value.Parse(MappingFile, value);
  const zone = columns?.at.zone;
  if (zone !== undefined && !isTimeZone(zone))
    return { problem: `columns.at.zone is not a known time zone: ${zone}` };
  if (format === 'ndjson') {
    if (delimiter !== undefined) return { problem: 'a delimiter is for csv only' };
    return { mapping: { format, columns } };
  }
  if (columns === undefined) return { problem: 'csv needs columns' };
  return { mapping: { format, delimiter: delimiter ?? ',', columns } };
}
